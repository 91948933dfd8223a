package main

import (
	"cmp"
	"slices"
)

// rule is one measure. It counts something for each place, which is a type, a file or a package.
type rule struct {
	name    string // one word, as in allowed.txt
	what    string // what is counted, for the printed table
	advice  string // what to do if it is too much
	limit   int    // what every place may have
	measure func(*tree) ([]finding, error)
}

func rules() []rule {
	return []rule{
		{"methods", "methods on one type", "move those that need only some of its fields to a type of their own", 40, methods},
		{"interfaces", "methods of one interface", "split it by who calls what; each caller declares what it needs", 4, interfaces},
		{"fields", "fields in one struct", "put those that are used together into a struct of their own", 18, fields},
		{"lines", "lines in one file", "move what has a noun of its own to a file of that name", 450, lines},
		{"columns", "lines over 140 columns", "break them; only rows of tables and data of tests may be longer", 0, columns},
		{"imports", "files with imports out of order", "the standard library first, then this module, then others, with an empty line between", 0, imports},
		{"comments", "exported names without a comment", "say what each returns or is, or do not export it", 0, comments},
		{"circles", "files in circles of references", "move what both files use to the lower one or to a third, the rarest reference first", 0, circles},
	}
}

// result is the result of a rule for the whole tree.
type result struct {
	rule
	largest finding
	sum     int
	over    []excess // places over the limit
}

// excess is a place over the limit of a rule, and what it may have.
type excess struct {
	finding
	allowance
}

// measureAll applies every rule to t.
func measureAll(t *tree, allowed allowances) ([]result, error) {
	var results []result
	for _, r := range rules() {
		findings, err := r.measure(t)
		if err != nil {
			return nil, err
		}
		results = append(results, r.judge(findings, allowed))
	}
	return results, nil
}

func (r rule) judge(findings []finding, allowed allowances) result {
	slices.SortFunc(findings, func(a, b finding) int { return cmp.Or(b.count-a.count, cmp.Compare(a.place, b.place)) })
	out := result{rule: r}
	for _, f := range findings {
		out.sum += f.count
		if f.count > r.limit {
			may := allowed[r.name+" "+f.place]
			may.count = max(r.limit, may.count)
			out.over = append(out.over, excess{f, may})
		}
	}
	if len(findings) > 0 {
		out.largest = findings[0]
	}
	return out
}

// broken reports whether a place has more than it may.
func broken(results []result) bool {
	for _, r := range results {
		for _, o := range r.over {
			if o.finding.count > o.allowance.count {
				return true
			}
		}
	}
	return false
}

// lowered returns the allowances that places over a limit still need. It raises none.
func lowered(results []result) allowances {
	need := allowances{}
	for _, r := range results {
		for _, o := range r.over {
			if count := min(o.finding.count, o.allowance.count); count > r.limit {
				need[r.name+" "+o.place] = allowance{count, o.reason}
			}
		}
	}
	return need
}
