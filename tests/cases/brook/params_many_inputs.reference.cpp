#include <initializer_list>

void sum(Stream<int> s000, Stream<int> s001, Stream<int> s002, Stream<int> s003, Stream<int> s004,
         Stream<int> s005, Stream<int> s006, Stream<int> s007, Stream<int> s008, Stream<int> s009,
         Stream<int> s010, Stream<int> s011, Stream<int> s012, Stream<int> s013, Stream<int> s014,
         Stream<int> s015, Stream<int> s016, Stream<int> s017, Stream<int> s018, Stream<int> s019,
         Stream<int> s020, Stream<int> s021, Stream<int> s022, Stream<int> s023, Stream<int> s024,
         Stream<int> s025, Stream<int> s026, Stream<int> s027, Stream<int> s028, Stream<int> s029,
         Stream<int> s030, Stream<int> s031, Stream<int> s032, Stream<int> s033, Stream<int> s034,
         Stream<int> s035, Stream<int> s036, Stream<int> s037, Stream<int> s038, Stream<int> s039,
         Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = 0;
    for (auto s : {s000, s001, s002, s003, s004, s005, s006, s007, s008, s009, s010, s011, s012, s013, s014, s015, s016, s017, s018, s019, s020, s021, s022, s023, s024, s025, s026, s027, s028, s029, s030, s031, s032, s033, s034, s035, s036, s037, s038, s039}) o[i] = o[i] * 3 + s[i];
  }
}
