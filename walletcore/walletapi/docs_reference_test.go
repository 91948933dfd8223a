package walletapi

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"billfold/walletcore/fault"
)

// listedRow is a row of the first table of docs/differences.md.
type listedRow struct {
	cases, why string
	methods    []string
}

// listedRows reads the table of recorded differences.
func listedRows(t *testing.T) (rows []listedRow, rest string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/differences.md")
	must(t, err)
	table, rest, found := strings.Cut(string(text), "\n## Without a recorded case")
	rest, _, sandbox := strings.Cut(rest, "\n# Differences of the sandbox")
	if !found || !sandbox {
		t.Fatal("docs/differences.md has other headings")
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 8 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "](design/", "](../design/"))
		}
		rows = append(rows, listedRow{cases: cells[2], methods: strings.Split(cells[3], ", "),
			why: fmt.Sprintf("The reference: %s. Here: %s. %s", cells[4], cells[5], cells[6])})
	}
	return rows, rest
}

// readListed returns why operations differ, by operation: the rows that name it, and the points without a recorded
// case that are about it, see subjects.
func readListed(t *testing.T) map[string][]string {
	t.Helper()
	rows, rest := listedRows(t)
	differ := map[string][]string{}
	for _, row := range rows {
		for _, method := range row.methods {
			differ[method] = append(differ[method], row.why)
		}
	}
	for point := range strings.SplitSeq(strings.ReplaceAll(rest, "\n**", "\n- **"), "\n- ") {
		text := strings.Join(strings.Fields(point), " ")
		for _, method := range subjects(text) {
			differ[method] = append(differ[method], text)
		}
	}
	return differ
}

// subjects returns the operations that a point is about: those it begins with, such as "`a`, `b` and `c` check …", or
// if it begins with none, those that its first sentence names.
func subjects(point string) []string {
	names := regexp.MustCompile("^(?:`[a-z_A-Z]+`(?:, | and )?)+").FindString(point)
	if names == "" {
		names, _, _ = strings.Cut(point, ". ")
	}
	var list []string
	for _, word := range regexp.MustCompile("`([a-z_A-Z]+)`").FindAllStringSubmatch(names, -1) {
		list = append(list, word[1])
	}
	return list
}

// listedCases returns the numbers of the recorded cases that have other answers here.
func listedCases(t *testing.T) map[int]bool {
	t.Helper()
	numbers := map[int]bool{}
	rows, _ := listedRows(t)
	for _, row := range rows {
		for part := range strings.SplitSeq(row.cases, ",") {
			first, last, _ := strings.Cut(strings.TrimSpace(part), "–")
			from, err := strconv.Atoi(first)
			must(t, err)
			to := from
			if last != "" {
				to, err = strconv.Atoi(last)
				must(t, err)
			}
			for n := from; n <= to; n++ {
				numbers[n] = true
			}
		}
	}
	return numbers
}

// referenceNames returns the operations of the reference, ordered by group.
func referenceNames(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/reference.txt")
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			names = append(names, line)
		}
	}
	return names
}

// ownCodes returns the range of the wallet's own error numbers, which the reference lacks.
func ownCodes() string {
	first, last := 0, 0
	for _, row := range fault.Rows() {
		if n := row.Reference; n < 0 && n > firstOwnCode-ownCodesMost {
			if first == 0 || n > first {
				first = n
			}
			last = min(last, n)
		}
	}
	return fmt.Sprintf("%d to %d", first, last)
}

// The wallet's own error numbers lie below firstOwnCode, in the part of JSON-RPC's range that is left to servers.
const (
	firstOwnCode = -32000
	ownCodesMost = 100
)

// inOrderList lists the operations that take their turn.
func inOrderList() string {
	var names []string
	for _, m := range Methods() {
		if m.InOrder {
			names = append(names, "`"+m.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// indexPage returns the front page of docs/rpc.
func indexPage(t *testing.T, seen map[string]*recording, differ map[string][]string) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("# The wallet's operations\n\nMade from the table in `walletcore/walletapi` by `make docs`; the same as an OpenRPC document: " +
		"[openrpc.json](openrpc.json),\nor `rpc.discover` over RPC. " + documentText + "\n\n")
	b.WriteString("Examples are recorded conversations with the reference that are answered the same here, or scripts of the tests; a long answer is cut " +
		"at `…`. After `$`\nis the same call on a command line. Names such as " +
		"nathan, init0, GOLDX, CARDS and order-1, and ids, are those of the ledgers that the examples were recorded on: replace them with those of\nyour own " +
		"ledger (`billfold --sandbox` has alice, bobby and carol).\n\n" +
		"Errors are those that an operation's declaration implies and those that conversations and scripts show; a\ndaemon's own errors and " +
		ownCodes() + " may come with any operation ([what differs](../differences.md)).\n\n" +
		"An error of a spend under a `request_key` says in `data.request_key` which key comes next. `same`: make the same request again under the same key, " +
		"and under no other; it is paid\nonce. `new`: the payment did not happen and never will; this key always gets this answer, and a new one pays. " +
		"`taken`: the key belongs to a request with other content.\n\n" +
		"Messages of one websocket run at the same time, and are answered as they end. Those that change or show what later ones work with are done in their place: each begins\nwhen all before " +
		"it have ended, and what comes after it begins when it has ended. These are " + inOrderList() +
		".\nNobody waits for a call that waits for a person, for blocks or for deposits, and `lock` waits a second at most once it is read: behind as many calls as a connection may have under way it is read when one of them ends, so lock over a connection of its own. The requests of a batch are done one after another. " +
		"A failed call does not keep\nback those after it: send `sign_builder_transaction` when the operations before were answered, or dry-run it.\n\n" +
		"Over HTTP without TLS a client may shut down its writing side after a whole request, and is answered; if it goes away later, that is noticed within a minute, otherwise at once. A spend that has begun is finished even if its client leaves; one that waits for a person is withdrawn when that is noticed.\n\n")
	b.WriteString("| group | operations |\n|---|---|\n")
	table := newTable(Methods())
	for _, group := range groups() {
		var links []string
		for _, m := range table.methods {
			if m.Group == group {
				links = append(links, linkTo(m))
			}
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s |\n", group, pageOf(group), strings.Join(links, ", "))
	}
	names := referenceNames(t)
	var rows bytes.Buffer
	count := map[string]int{}
	for _, name := range names {
		m, state, why := table.byName[name], "same", ""
		switch {
		case len(differ[name]) > 0:
			state, why = "differs", strings.Join(differ[name], " ")
		}
		count[state]++
		link := "`" + name + "`"
		if m != nil {
			link = linkTo(m)
		}
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", link, state, cell(why))
	}
	fmt.Fprintf(&b, "\n## Compared with the reference\n\nOf the reference's %d operations %d answer the same, and %d differ only where the last column says so.\n"+
		"What applies to every operation, such as the rules of amounts, is in\n"+
		"[differences](../differences.md). Recorded conversations with the reference hold the table to this (`make conformance`).\n\n"+
		"| operation | answers | why |\n|---|---|---|\n", len(names), count["same"], count["differs"])
	b.Write(rows.Bytes())
	return b.Bytes()
}

// linkTo returns the name of an operation as a link to its description.
func linkTo(m *Method) string {
	return fmt.Sprintf("[`%s`](%s#%s)", m.Name, pageOf(m.Group), strings.ToLower(strings.ReplaceAll(m.Name, ".", "")))
}

// testdata/reference.txt lists every operation of the reference once, and the catalogue has
// all of them.
func TestReferenceListIsComplete(t *testing.T) {
	const operations = 152
	names := referenceNames(t)
	if sorted := slices.Compact(slices.Sorted(slices.Values(names))); len(sorted) != operations || len(names) != operations {
		t.Errorf("testdata/reference.txt lists %d operations, %d of them different", len(names), len(sorted))
	}
	differ := readListed(t)
	for name := range differ {
		if m := newTable(Methods()).byName[name]; m == nil && slices.Contains(names, name) {
			t.Errorf("docs/differences.md is about %s, which does not exist", name)
		}
	}
	for _, name := range names {
		if newTable(Methods()).byName[name] == nil {
			t.Errorf("the catalogue has no operation %s", name)
		}
	}
}
