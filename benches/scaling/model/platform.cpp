// Nodes of a few GPUs on a fat tree without bottlenecks, as SimGrid sees them: a host stands for a GPU with its process.
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>
#include <constants.h> // after the others: its names are theirs, too

namespace sg4 = simgrid::s4u;
using sg4::Link;
using Point = simgrid::kernel::routing::NetPoint;

static constexpr double HOP = 0.1e-6; // through a switch; the rest of a message's latency is the adapters'
static constexpr unsigned PORTS = 32;  // of a switch, down and up: 1 024 nodes, and as many spines as leaves

static constexpr double IN_BANDWIDTH = DIRECT ? NCCL_BANDWIDTH : MPI_NODE_BANDWIDTH;

static std::pair<Point*, Point*> node(const sg4::NetZone* fabric, const std::vector<unsigned long>&, unsigned long id)
{
  const std::string name = "node" + std::to_string(id);
  auto* zone = sg4::create_full_zone(name);
  zone->set_parent(fabric);
  Point* gateway = zone->create_router(name + "-out");
  std::vector<Link*> adapters;
  for (int a = 0; a < ADAPTERS_PER_NODE; a++)
    adapters.push_back(zone->create_split_duplex_link(name + "-adapter" + std::to_string(a), MPI_NET_BANDWIDTH)
                           ->set_latency((MPI_NET_LATENCY - 4 * HOP) / 2)
                           ->seal());
  std::vector<sg4::Host*> hosts;
  std::vector<Link*> takes; // what a process takes from others of its node, one core copies
  for (int g = 0; g < GPUS_PER_NODE; g++) {
    const std::string number = std::to_string(id * GPUS_PER_NODE + g);
    hosts.push_back(zone->create_host("gpu" + number, 1e9)->seal());
    takes.push_back(zone->create_link("take" + number, IN_BANDWIDTH)->set_latency(MPI_NODE_LATENCY)->seal());
  }
  for (int g = 0; g < GPUS_PER_NODE; g++) {
    for (int to = 0; to < GPUS_PER_NODE; to++)
      if (to != g)
        zone->add_route(hosts[g]->get_netpoint(), hosts[to]->get_netpoint(), nullptr, nullptr, {sg4::LinkInRoute(takes[to])}, false);
    auto* adapter = adapters[g * ADAPTERS_PER_NODE / GPUS_PER_NODE];
    zone->add_route(hosts[g]->get_netpoint(), gateway, nullptr, nullptr,
                    {sg4::LinkInRoute(adapter, sg4::LinkInRoute::Direction::UP)}, false);
    zone->add_route(gateway, hosts[g]->get_netpoint(), nullptr, nullptr,
                    {sg4::LinkInRoute(adapter, sg4::LinkInRoute::Direction::DOWN)}, false);
  }
  zone->seal();
  return {zone->get_netpoint(), gateway};
}

extern "C" void load_platform(const sg4::Engine& engine);
void load_platform(const sg4::Engine& engine)
{
  const sg4::FatTreeParams levels(2, {PORTS, PORTS}, {1, PORTS}, {1, 1});
  auto* fabric = sg4::create_fatTree_zone("fabric", engine.get_netzone_root(), levels, sg4::ClusterCallbacks(node),
                                          MPI_NET_BANDWIDTH * ADAPTERS_PER_NODE, HOP, Link::SharingPolicy::SPLITDUPLEX);
  fabric->seal();
}
