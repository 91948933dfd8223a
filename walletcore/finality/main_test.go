package finality

import (
	"flag"
	"os"
	"testing"
)

// everydayChecks is the number of random chains that the everyday suite tries of each kind:
// each header costs a signature. `make properties` tries many more.
const everydayChecks = "5"

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(everydayChecks)
	}
	os.Exit(m.Run())
}
