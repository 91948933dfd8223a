package walletapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
)

// recording is the example and the error codes of an operation. They come from conversations with the reference that
// have the same answers here, then from the scripts of rpcserver/testdata/operations.wire.
type recording struct {
	params []json.RawMessage
	answer string // a result, or our error if there is no result; empty if our answer differs
	failed bool   // the answer is an error
	codes  []int  // of errors
}

// readRecordings reads conversations and scripts, by operation.
func readRecordings(t *testing.T) map[string]*recording {
	t.Helper()
	all := map[string]*recording{}
	differ := listedCases(t)
	file, err := os.Open("../../testdata/conformance/wallet.jsonl")
	must(t, err)
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Buffer(nil, 16<<20); lines.Scan(); {
		var x struct {
			Case              int
			Request, Response json.RawMessage
		}
		must(t, json.Unmarshal(lines.Bytes(), &x))
		note(all, x.Request, x.Response, conversation{listed: differ[x.Case], reference: true})
	}
	script, err := os.ReadFile("../../rpcserver/testdata/operations.wire")
	must(t, err)
	request := ""
	for line := range strings.Lines(strings.ReplaceAll(string(script), "{handle}", exampleHandle)) {
		switch {
		case strings.HasPrefix(line, "--> "):
			request = line[4:]
		case strings.HasPrefix(line, "<-- "):
			note(all, []byte(request), []byte(strings.TrimSpace(line[4:])), conversation{})
		}
	}
	return all
}

// conversation describes the source of an answer.
type conversation struct {
	listed    bool // listed as a difference: our answer is another
	reference bool // errors are in the reference's words
}

var errorCode = regexp.MustCompile(`"error":\{"code":(-?[0-9]+)`)

// note records an answer: it keeps the first result, else the first error of our own, and the codes of all errors.
func note(all map[string]*recording, request, response []byte, from conversation) {
	var asked struct {
		Method string
		Params []json.RawMessage
	}
	if json.Unmarshal(request, &asked) != nil || asked.Method == "" {
		return
	}
	var over struct{ Body string }
	if json.Unmarshal(response, &over) == nil && over.Body != "" {
		response = []byte(over.Body)
	}
	response = compacted(response)
	s := all[asked.Method]
	if s == nil {
		s = &recording{params: asked.Params}
		all[asked.Method] = s
	}
	if from.listed {
		return
	}
	code := errorCode.FindSubmatch(response)
	if code != nil {
		var number int
		_ = json.Unmarshal(code[1], &number)
		s.codes = append(s.codes, number)
	}
	at := bytes.Index(response, []byte(`"result":`))
	if code != nil {
		at = bytes.Index(response, []byte(`"error":`))
	}
	if at < 0 || code != nil && from.reference || s.answer != "" && (code != nil || !s.failed) {
		return
	}
	s.params, s.failed, s.answer = asked.Params, code != nil, string(bytes.TrimSuffix(response[at:], []byte("}")))
}

// compacted returns JSON without spaces; invalid JSON, such as a shortened answer, is returned unchanged.
func compacted(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// longestExample is the maximum length, in bytes, of the part of an answer that an example shows.
const longestExample = 600

// example returns a request, its answer, and the same call on a command line.
func (m *Method) example(s *recording) string {
	if s == nil {
		return ""
	}
	params, words := []string{}, []string{"billfold", "call", m.Name}
	for i, p := range s.params {
		if i >= len(m.Params) { // the reference ignores surplus parameters
			break
		}
		if m.Params[i].Secret {
			p = json.RawMessage(`"…"`)
		}
		params = append(params, string(compacted(p)))
		words = append(words, m.word(i, p))
	}
	if slices.ContainsFunc(words[3:], func(word string) bool { return len(word) > 1 && word[0] == '-' }) {
		words = slices.Insert(words, 2, "--") // no flags follow
	}
	answer := withoutKeys(s.answer)
	if len(answer) > longestExample {
		answer = strings.ToValidUTF8(answer[:longestExample], "") + "…"
	}
	switch {
	case answer == "": // our answer differs
	case strings.HasSuffix(answer, "…"):
		answer = `<-- {"jsonrpc":"2.0","id":1,` + answer + "\n"
	default:
		answer = `<-- {"jsonrpc":"2.0","id":1,` + answer + "}\n"
	}
	typed := "\n$ " + withoutKeys(strings.Join(words, " ")) + "\n"
	if m.onlyOverWebsocket() {
		typed = ""
	}
	return fmt.Sprintf("--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%q,\"params\":[%s]}\n%s%s",
		m.Name, withoutKeys(strings.Join(params, ",")), answer, typed)
}

// word returns a parameter as it is typed in a shell.
func (m *Method) word(at int, p json.RawMessage) string {
	var text string
	switch {
	case m.Params[at].Secret:
		return "-"
	case json.Unmarshal(p, &text) == nil && text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:/+") == "":
		return text
	case json.Unmarshal(p, &text) == nil:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	case p[0] == '{' || p[0] == '[':
		return "'" + strings.ReplaceAll(string(compacted(p)), "'", `'\''`) + "'"
	}
	return string(p)
}

// withoutKeys masks private keys in a text, even worthless ones.
func withoutKeys(text string) string {
	text = regexp.MustCompile(`5[HJK][1-9A-HJ-NP-Za-km-z]{49}`).ReplaceAllString(text, "5…")
	text = regexp.MustCompile(`"private_key":"[0-9]+`).ReplaceAllString(text, `"private_key":"…`)
	text = regexp.MustCompile(`"private_key":\{"s":"[0-9]+`).ReplaceAllString(text, `"private_key":{"s":"…`)
	text = regexp.MustCompile(`(\["[0-9]{100,}\.","?)[0-9]{50,}`).ReplaceAllString(text, `$1…`)
	return regexp.MustCompile(`"brain_priv_key":"[^"]+`).ReplaceAllString(text, `"brain_priv_key":"…`)
}

// errorWords lists the errors that an operation is known to return: those that its declaration implies, and those in
// conversations and scripts.
func (m *Method) errorWords(s *recording) string {
	codes := []fault.Code{}
	if len(m.Params) > 0 {
		codes = append(codes, fault.BadParameter)
	}
	if m.NeedsUnlock {
		codes = append(codes, fault.Locked)
	}
	for _, p := range m.Params {
		codes = append(codes, map[Role][]fault.Code{
			RoleAccount: {fault.EmptyAccount, fault.NoSuchAccount}, RoleDestination: {fault.NoSuchRecipient},
			RoleAsset: {fault.NoSuchAsset}, RoleAmount: {fault.BadAmount, fault.AmountLimit},
			RolePayment: {fault.NoSuchPayment},
		}[p.Role]...)
	}
	if m.Does(Signs) {
		codes = append(codes, fault.InvalidOperation, fault.MissingAuthority, fault.InsufficientBalance, fault.KeysChanged, fault.StateChanged,
			fault.FeeTooHigh, fault.RequestKey, fault.OutcomeUnknown)
	}
	var words []string
	named := map[int]bool{}
	for _, code := range codes {
		row, _ := fault.RowOf(code)
		if word := fmt.Sprintf("%d `%s`", row.Standard, row.Code); !slices.Contains(words, word) {
			words = append(words, word)
		}
		named[row.Standard] = true
	}
	if s != nil {
		slices.Sort(s.codes)
		for _, number := range slices.Compact(s.codes) {
			if number = standardOf(number); !named[number] {
				words = append(words, numberWord(number))
			}
			named[number] = true
		}
	}
	if len(words) == 0 {
		return "none of its own"
	}
	return strings.Join(words, ", ")
}

// standardOf returns the error number that a request with "jsonrpc":"2.0" gets.
func standardOf(number int) int {
	for _, row := range fault.Rows() {
		if row.Reference == number && row.Standard < 0 {
			return row.Standard
		}
	}
	return number
}

// numberWord returns an error number, with its code if only one code has that number.
func numberWord(number int) string {
	var names []string
	for _, row := range fault.Rows() {
		if row.Standard == number {
			names = append(names, string(row.Code))
		}
	}
	if len(names) == 1 {
		return fmt.Sprintf("%d `%s`", number, names[0])
	}
	return fmt.Sprint(number)
}

// onlyOverWebsocket reports whether no command line can call m.
func (m *Method) onlyOverWebsocket() bool { return m.Name == "subscribe" || m.Name == "unsubscribe" }

// The examples in the documentation are lines that the console can parse.
func TestDocumentedExamplesCanBeTyped(t *testing.T) {
	seen := readRecordings(t)
	for _, m := range Methods() {
		s := seen[m.Name]
		if s == nil {
			t.Errorf("no example of %s: no recording has one; add its lines to rpcserver/testdata/operations.wire", m.Name)
			continue
		}
		example := m.example(s)
		_, line, _ := strings.Cut(example, "\n$ billfold call ")
		line = strings.TrimPrefix(line, "-- ")
		if m.onlyOverWebsocket() {
			if line != "" {
				t.Errorf("%s: %q is shown as a command, which cannot receive events", m.Name, line)
			}
			continue
		}
		if !strings.Contains(line, `'\''`) {
			if c, err := commandline.Parse(line); err != nil || c.Method != m.Name {
				t.Errorf("%s: %q cannot be typed: %v", m.Name, line, err)
			}
		}
		if regexp.MustCompile(`5[HJK][1-9A-HJ-NP-Za-km-z]{49}`).MatchString(example) {
			t.Errorf("%s: the example holds a key", m.Name)
		}
	}
}

// The lines that docs/shell.md shows have parameters that fit their operations.
func TestLinesInTheShellDocsFit(t *testing.T) {
	page, err := os.ReadFile("../../docs/shell.md")
	must(t, err)
	_, part, _ := strings.Cut(string(page), "\n## What a line looks like\n")
	part, _, _ = strings.Cut(part, "\n## ")
	lines := 0
	for line := range strings.Lines(part) {
		line, shown := strings.CutPrefix(line, "    ")
		if !shown {
			continue
		}
		lines++
		c, err := commandline.Parse(strings.TrimSpace(line))
		must(t, err)
		m := newTable(Methods()).byName[c.Method]
		if m == nil {
			t.Errorf("%q: there is no such operation", line)
			continue
		}
		if _, err := m.Bind(Params{Positional: m.FromWords(c.Params)}); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	if lines < 2 {
		t.Errorf("docs/shell.md shows %d lines; there are more", lines)
	}
}
