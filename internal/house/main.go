// House measures the structure of the module and fails if a measure is over its limit: methods of one type and of one
// interface, fields in one struct, lines in one file, lines that are too long, imports out of order, exported names without
// a comment, and files that refer to each other in circles. It prints what to do about each. With -write it redraws
// docs/design/graph.md and lowers the counts in allowed.txt.
package main

import (
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
)

func main() {
	root := flag.String("root", ".", "the folder of go.mod")
	write := flag.Bool("write", false, "redraw the graph, and lower the allowed counts to the present ones")
	all := flag.Bool("all", false, "also show what is allowed")
	flag.Parse()
	broken, err := run(*root, *write, *all)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
	if broken {
		os.Exit(1)
	}
}

// run measures the tree, prints what it found, and reports whether a rule is broken.
func run(root string, write, all bool) (bool, error) {
	t, err := load(root)
	if err != nil {
		return false, err
	}
	allowed, err := readAllowances(root)
	if err != nil {
		return false, err
	}
	results, err := measureAll(t, allowed)
	if err != nil {
		return false, err
	}
	report(results, all)
	if write {
		if err := lowered(results).write(root); err != nil {
			return false, err
		}
		return broken(results), writeGraph(t)
	}
	stale, err := graphIsStale(t)
	if stale {
		fmt.Println(graphFile + " is not fresh: make docs")
	}
	return broken(results) || stale, err
}

// report prints the places that have more than they may, or with all every place over a limit, and then a table of
// the measures.
func report(results []result, all bool) {
	for _, r := range results {
		for _, o := range r.over {
			if o.finding.count <= o.allowance.count && !all {
				continue
			}
			fmt.Printf("%s: %s: %d, at most %d: %s\n", o.place, r.what, o.finding.count, o.allowance.count, r.advice)
			for _, detail := range o.details {
				fmt.Println("    " + detail)
			}
		}
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "measure\tlimit\tlargest\twhere\tall\tallowed places")
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%d\t%d\n", r.what, r.limit, r.largest.count, r.largest.place, r.sum, len(r.over))
	}
	table.Flush()
}
