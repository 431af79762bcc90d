#include <initializer_list>

void sum(Stream<int> s000, Stream<int> s001, Stream<int> s002, Stream<int> s003, Stream<int> s004,
         Stream<int> s005, Stream<int> s006, Stream<int> s007, Stream<int> s008, Stream<int> s009,
         Stream<int> s010, Stream<int> s011, Stream<int> s012, Stream<int> s013, Stream<int> s014,
         Stream<int> s015, Stream<int> s016, Stream<int> s017, Stream<int> s018, Stream<int> s019,
         Stream<int> s020, Stream<int> s021, Stream<int> s022, Stream<int> s023, Stream<int> s024,
         Stream<int> s025, Stream<int> s026, Stream<int> s027, Stream<int> s028, Stream<int> s029,
         Stream<int> s030, Stream<int> s031, Stream<int> s032, Stream<int> s033, Stream<int> s034,
         Stream<int> s035, Stream<int> s036, Stream<int> s037, Stream<int> s038, Stream<int> s039,
         Stream<int> s040, Stream<int> s041, Stream<int> s042, Stream<int> s043, Stream<int> s044,
         Stream<int> s045, Stream<int> s046, Stream<int> s047, Stream<int> s048, Stream<int> s049,
         Stream<int> s050, Stream<int> s051, Stream<int> s052, Stream<int> s053, Stream<int> s054,
         Stream<int> s055, Stream<int> s056, Stream<int> s057, Stream<int> s058, Stream<int> s059,
         Stream<int> s060, Stream<int> s061, Stream<int> s062, Stream<int> s063, Stream<int> s064,
         Stream<int> s065, Stream<int> s066, Stream<int> s067, Stream<int> s068, Stream<int> s069,
         Stream<int> s070, Stream<int> s071, Stream<int> s072, Stream<int> s073, Stream<int> s074,
         Stream<int> s075, Stream<int> s076, Stream<int> s077, Stream<int> s078, Stream<int> s079,
         Stream<int> s080, Stream<int> s081, Stream<int> s082, Stream<int> s083, Stream<int> s084,
         Stream<int> s085, Stream<int> s086, Stream<int> s087, Stream<int> s088, Stream<int> s089,
         Stream<int> s090, Stream<int> s091, Stream<int> s092, Stream<int> s093, Stream<int> s094,
         Stream<int> s095, Stream<int> s096, Stream<int> s097, Stream<int> s098, Stream<int> s099,
         Stream<int> s100, Stream<int> s101, Stream<int> s102, Stream<int> s103, Stream<int> s104,
         Stream<int> s105, Stream<int> s106, Stream<int> s107, Stream<int> s108, Stream<int> s109,
         Stream<int> s110, Stream<int> s111, Stream<int> s112, Stream<int> s113, Stream<int> s114,
         Stream<int> s115, Stream<int> s116, Stream<int> s117, Stream<int> s118, Stream<int> s119,
         Stream<int> s120, Stream<int> s121, Stream<int> s122, Stream<int> s123, Stream<int> s124,
         Stream<int> s125, Stream<int> s126, Stream<int> s127, Stream<int> s128, Stream<int> s129,
         Stream<int> s130, Stream<int> s131, Stream<int> s132, Stream<int> s133, Stream<int> s134,
         Stream<int> s135, Stream<int> s136, Stream<int> s137, Stream<int> s138, Stream<int> s139,
         Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = 0;
    for (auto s : {s000, s001, s002, s003, s004, s005, s006, s007, s008, s009, s010, s011, s012, s013, s014, s015, s016, s017, s018, s019, s020, s021, s022, s023, s024, s025, s026, s027, s028, s029, s030, s031, s032, s033, s034, s035, s036, s037, s038, s039, s040, s041, s042, s043, s044, s045, s046, s047, s048, s049, s050, s051, s052, s053, s054, s055, s056, s057, s058, s059, s060, s061, s062, s063, s064, s065, s066, s067, s068, s069, s070, s071, s072, s073, s074, s075, s076, s077, s078, s079, s080, s081, s082, s083, s084, s085, s086, s087, s088, s089, s090, s091, s092, s093, s094, s095, s096, s097, s098, s099, s100, s101, s102, s103, s104, s105, s106, s107, s108, s109, s110, s111, s112, s113, s114, s115, s116, s117, s118, s119, s120, s121, s122, s123, s124, s125, s126, s127, s128, s129, s130, s131, s132, s133, s134, s135, s136, s137, s138, s139}) o[i] = o[i] * 3 + s[i];
  }
}
