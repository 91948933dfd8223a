package chain

import (
	"flag"
	"os"
	"testing"
)

// usualDraws is the number of sequences that a property is tried with in
// the everyday suite; `make properties` tries many more.
const usualDraws = "20"

// TestMain lowers the number of draws unless the command line names one.
func TestMain(m *testing.M) {
	flag.Parse()
	named := false
	flag.Visit(func(f *flag.Flag) { named = named || f.Name == "rapid.checks" })
	if !named {
		if err := flag.Set("rapid.checks", usualDraws); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
