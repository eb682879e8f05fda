#include "traffic/recipe.h"

#include "read.h"

namespace perfpact::traffic {
namespace {

class RecipeTest : public test::Reading {
 protected:
  std::string fault(const std::string& text) {
    EXPECT_FALSE(load_recipe(folder.write("recipe.yaml", text), diagnostics));
    return test::reported(diagnostics);
  }
  // A recipe with one phase of these properties, on line 7.
  std::string fault_of_phase(const std::string& phase) {
    return fault(
        "schema: perfpact.traffic/1\nseed: 1\nflows:\n  clients:\n    {count: 10, values: {src: 10.0.0.0/8, "
        "port: 1..100000}}\nphases:\n- {" +
        phase + "}\n");
  }
  test::Folder folder;
};

TEST_F(RecipeTest, WrongSchemaAndKeys) {
  EXPECT_EQ(fault("schema: perfpact.trafic/1\nseed: 1\nphase: []\n"),
            "1:9: schema is 'perfpact.trafic/1'; expected 'perfpact.traffic/1' [yaml-schema]\n"
            "1:1: traffic recipe needs a key 'phases' [yaml-missing-key]\n"
            "3:1: unknown key 'phase' in traffic recipe; did you mean 'phases'? [yaml-unknown-key]\n");
}

TEST_F(RecipeTest, Orders) {
  EXPECT_EQ(fault_of_phase(
                "name: a, packets: 20, flows: {clients: {order: uniforn, churn: 2}}, headers: [ethernet]"),
            "7:51: 'uniforn' is no order; expected sequential, uniform or {zipf: EXPONENT}; did you mean "
            "'uniform'? "
            "[traffic-bad-order]\n"
            "7:67: '2' is no share of packets; expected 0 to 1 [traffic-churn]\n");
}

TEST_F(RecipeTest, ZipfExponent) {
  EXPECT_EQ(
      fault_of_phase("name: a, packets: 20, flows: {clients: {order: {zipf: 11}}}, headers: [ethernet]"),
      "7:58: '11' is no exponent of a Zipf distribution; expected 0 to 10 [traffic-zipf]\n");
}

TEST_F(RecipeTest, Windows) {
  EXPECT_EQ(
      fault_of_phase("name: a, packets: 20, flows: {clients: {first: 5, count: 6}}, headers: [ethernet]"),
      "7:43: flows 5 to 10 are drawn, but the set 'clients' has 10 [traffic-flow-window]\n");
}

TEST_F(RecipeTest, ChurnBeyondTheSet) {
  EXPECT_EQ(fault_of_phase("name: a, packets: 20, flows: {clients: {churn: 0.1}}, headers: [ethernet]"),
            "7:43: flows 0 to 11 are drawn, but the set 'clients' has 10; 20 packets bring 2 new ones "
            "[traffic-flow-window]\n");
}

TEST_F(RecipeTest, Names) {
  EXPECT_EQ(
      fault_of_phase("name: a, packets: 1, flows: {client: {}, c: {of: clients}}, headers: [ethernet, ipv4: "
                     "{src: $d.src, dst: $c.scr}]"),
      "7:33: there is no set of flows 'client'; did you mean 'clients'? [traffic-unknown-flows]\n"
      "7:96: '$d.src' is no value of a flow; expected $NAME.VALUE with a NAME that the stream draws; did you "
      "mean 'c'? [traffic-bad-reference]\n"
      "7:109: the flows 'clients' have no value 'scr'; did you mean 'src'? [traffic-unknown-value]\n");
}

TEST_F(RecipeTest, FieldsThatDoNotFit) {
  EXPECT_EQ(fault_of_phase(
                "name: a, packets: 1, flows: {clients: {}}, headers: [ethernet: {src: $clients.src}, ipv4, "
                "udp: {sport: $clients.port, dport: 0..70000}]"),
            "7:73: field 'src' has 48 bits, but its value is an address of 32 [traffic-address-width]\n"
            "7:107: the value of field 'sport' can be 100000, which does not fit its 16 bits "
            "[traffic-field-width]\n"
            "7:129: the value of field 'dport' can be 70000, which does not fit its 16 bits "
            "[traffic-field-width]\n");
}

TEST_F(RecipeTest, Headers) {
  EXPECT_EQ(
      fault_of_phase("name: a, packets: 1, headers: [ipv4, {udp: , tcp: }]"),
      "7:41: a header is a name or a mapping of one name to its fields, not a mapping of 2 keys "
      "[traffic-header-form]\n"
      "7:35: the packet begins with 'ipv4'; captures are of Ethernet packets, which begin with 'ethernet' "
      "[traffic-not-ethernet]\n");
}

TEST_F(RecipeTest, PhasesAndTimes) {
  EXPECT_EQ(
      fault_of_phase(
          "name: a, packets: 1, gap: 1.5ns, wait: 10, headers: [ethernet]}\n- {name: a, packets: 1, "
          "payload: 3, mix: [{weight: 1, headers: [ethernet]}]"),
      "7:30: '1.5ns' is no time; expected a number and a unit, ns, us, ms or s, that is a whole number of "
      "nanoseconds [traffic-duration]\n"
      "7:43: '10' is no time; expected a number and a unit, ns, us, ms or s, that is a whole number of "
      "nanoseconds [traffic-duration]\n"
      "8:10: there is a phase 'a' already [traffic-phase-twice]\n"
      "8:34: phase 'a' has a mix; 'payload' belongs into the streams of it [traffic-mix-and-stream]\n");
}

TEST_F(RecipeTest, MixesOfNothing) {
  EXPECT_EQ(fault_of_phase("name: a, packets: 1, mix: [{weight: 0, headers: [ethernet]}]"),
            "7:30: no stream in the mix of phase 'a' has a weight above 0 [traffic-no-weight]\n");
}

TEST_F(RecipeTest, MoreThanMemoryHolds) {
  EXPECT_EQ(fault("schema: perfpact.traffic/1\nseed: 1\nflows:\n"
                  "  a: {count: 1000000000, values: {n: {counter: 1}}, places: []}\nphases: []\n"),
            "4:14: count must be at most 4194304, not '1000000000' [yaml-expected]\n");
}

TEST_F(RecipeTest, MoreToDrawThanMemoryHolds) {
  EXPECT_EQ(
      fault(
          "schema: perfpact.traffic/1\nseed: 1\nflows:\n  a: {count: 1000000000, values: {n: {counter: 1}}}\n"
          "phases:\n- {name: a, packets: 1, flows: {a: {order: {zipf: 1}}}, headers: [ethernet]}\n"),
      "6:36: count, with churn or by Zipf's law, must be at most 67108864, not 1000000000 [yaml-expected]\n");
}

TEST_F(RecipeTest, TooLong) {
  EXPECT_EQ(
      fault_of_phase("name: a, packets: 1000000, gap: 5000s, headers: [ethernet]"),
      "7:1: the traffic lasts beyond the 4294967295 seconds that a capture can tell [traffic-too-long]\n");
}

TEST_F(RecipeTest, WrongFieldsOfPackets) {
  EXPECT_EQ(fault_of_phase("name: a, packets: 1, headers: [ethernet, ipv4: {scr: 10.0.0.0/8}]"),
            "7:52: header 'ipv4' has no field 'scr'; did you mean 'src'? [packet-unknown-field]\n");
}

}  // namespace
}  // namespace perfpact::traffic
