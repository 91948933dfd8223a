// Lint is the vet tool of make check: analyzers, staticcheck's among them, that find what the compiler lets pass. go vet
// runs them for each package and keeps the results in the build cache.
package main

import (
	"fmt"
	"os"
	"slices"

	"billfold/internal/tools/lint/doccomment"

	"github.com/nishanths/exhaustive/passes/exhaustive"
	"github.com/polyfloyd/go-errorlint/errorlint"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// decisive matches the enums of which a forgotten case could cost money or show something false. A switch over one of
// them must name every case, because a default would accept a new one silently.
const decisive = `^billfold/.*\.(State|DaemonState|PoolState|MemoState|Status|Ownership|Direction|Memo|` +
	`Finality|Answer|Approval|Policy|Condition|Reach|Role|Pace|Outcome|LostKind|KeyUse|Span|Proof|ListenerKind)$`

func main() {
	for name, value := range map[string]string{"typeonly": decisive, "d": "false"} { // d: whether a default stands for the rest
		if err := exhaustive.Analyzer.Flags.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, "lint:", err)
			os.Exit(1)
		}
	}
	own := []*analysis.Analyzer{errorlint.NewAnalyzer(), exhaustive.Analyzer, nilness.Analyzer, unusedwrite.Analyzer, doccomment.Analyzer()}
	unitchecker.Main(slices.Concat(own, vetChecks(), staticChecks())...)
}
