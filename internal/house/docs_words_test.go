package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"billfold/walletcore/fault"
)

// reasonsIn are the declarations of which every text is a reason why nothing is paid, by file.
var reasonsIn = map[string][]string{
	"cmd/billfold/ready.go":               {"lockedWhy", "keylessWhy", "unlockingWhy", "diskFault"},
	"cmd/billfold/store_wait.go":          {"answerWaiting"},
	"rpcserver/entrance.go":               {"endingReason"},
	"walletcore/ledgerview/readiness.go":  {"distrustOf", "distrust"},
	"walletcore/payment/ready.go":         {"NotReady", "unwritable"},
	"walletcore/payment/compare.go":       {"errComparing", "pending"},
	"walletcore/store/migration.go":       {"Cause"},
	"walletcore/store/rehearsal.go":       {"Cause"},
	"walletcore/store/postgres/errors.go": {"Cause", "refusal", "wrongServer", "standbyCause", "severalCause"},
	"walletcore/store/postgres/driver.go": {"UnfitError"},
	"tui/widget/frame/frame.go":           {"Banner", "nodeProblem"},
}

// TestIncidentsHaveRows fails for a reason why nothing is paid, an alert that ships and an error with a number of our own that docs/incidents.md does not have.
func TestIncidentsHaveRows(t *testing.T) {
	page := plain(read(t, "docs/incidents.md"))
	found := 0
	for path, names := range reasonsIn {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(path)), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			texts := textsOf(file, name)
			if len(texts) == 0 {
				t.Errorf("%s has no texts in %s", path, name)
			}
			for _, text := range texts {
				for _, part := range verbs.Split(text, -1) {
					if part = strings.Trim(strings.TrimPrefix(part, "not ready: "), " :;,.()\n"); len(strings.Fields(part)) < 3 {
						continue
					}
					if found++; !strings.Contains(page, plain(part)) {
						t.Errorf("docs/incidents.md has no row for %q (%s, %s)", part, path, name)
					}
				}
			}
		}
	}
	for _, alert := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(read(t, "packaging/prometheus/billfold.rules.yml"), -1) {
		if found++; !strings.Contains(page, "`"+alert[1]+"`") {
			t.Errorf("docs/incidents.md has no row for the alert %s", alert[1])
		}
	}
	for _, row := range fault.Rows() {
		if number := strconv.Itoa(row.Standard); row.Standard <= -32000 && row.Standard > -32600 {
			if found++; !strings.Contains(page, "`"+number+"`") || !strings.Contains(page, "`"+row.Name+"`") {
				t.Errorf("docs/incidents.md has no row for the error %s `%s`", number, row.Name)
			}
		}
	}
	if found < 80 {
		t.Errorf("%d reasons, alerts and errors were found; there are more", found)
	}
}

// TestQuotesAreTheProgramsWords fails for quotes in the first column of a table of docs/incidents.md that neither the program nor the alerts have, and for words of the screen in
// docs/people.md, which are in italics, that the program does not have; also for an error or a warning of the log without a row.
func TestQuotesAreTheProgramsWords(t *testing.T) {
	var all strings.Builder
	incidents, errors := read(t, "docs/incidents.md"), 0
	parseProgram(t, func(_ *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is && isAlarm(call) {
				if text, _ := foldText(messageOf(call)); text != "" {
					if errors++; !strings.Contains(incidents, "`"+text+"`") {
						t.Errorf("docs/incidents.md has no row for the message %q of the log", text)
					}
				}
			}
			if number, is := n.(*ast.UnaryExpr); is { // of an error
				all.WriteString(types.ExprString(number) + "\n")
			}
			if text, is := foldText(n); is {
				all.WriteString(plain(text) + "\n")
				return false
			}
			return true
		})
	})
	all.WriteString(plain(read(t, "packaging/prometheus/billfold.rules.yml")))
	words := all.String()
	if errors < 60 {
		t.Errorf("%d errors and warnings of the log were found; there are more", errors)
	}
	for page, form := range map[string]*regexp.Regexp{"docs/incidents.md": inFirstColumn, "docs/people.md": italics} {
		quotes := form.FindAllStringSubmatch(read(t, page), -1)
		for _, quote := range quotes {
			for _, span := range append(quotedIn(quote[1]), italicsIn(form, quote[1])...) {
				for part := range strings.SplitSeq(span, "…") {
					if part = strings.Trim(plain(part), " .:"); part != "" && !strings.Contains(words, part) {
						t.Errorf("%s quotes %q, which the program does not say", page, part)
					}
				}
			}
		}
		if len(quotes) < 30 {
			t.Errorf("%s has %d quotes; there are more", page, len(quotes))
		}
	}
}

// isAlarm reports whether a call writes an error or a warning to the log.
func isAlarm(call *ast.CallExpr) bool {
	method, is := call.Fun.(*ast.SelectorExpr)
	return is && (method.Sel.Name == "Error" || method.Sel.Name == "Warn") && messageOf(call) != nil
}

var (
	verbs         = regexp.MustCompile(`%[-+#0-9.]*[a-z]`)
	inFirstColumn = regexp.MustCompile("(?m)^\\| (.*?`) *\\|")
	italics       = regexp.MustCompile(`(?:^|[ (>|])\*([^*\n]+)\*`)
)

func quotedIn(cell string) (spans []string) {
	for _, span := range quoted.FindAllStringSubmatch(cell, -1) {
		spans = append(spans, span[1])
	}
	return spans
}

func italicsIn(form *regexp.Regexp, text string) []string {
	if form == italics {
		return []string{text}
	}
	return nil
}

// plain returns text with one blank for each run of them.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// foldText returns the text of a literal, or of several that are added up.
func foldText(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			text, err := strconv.Unquote(n.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, first := foldText(n.X)
		right, second := foldText(n.Y)
		return left + right, n.Op == token.ADD && first && second
	case *ast.ParenExpr:
		return foldText(n.X)
	}
	return "", false
}

// textsOf returns the texts in the declarations with a name, or in literals of a type with that name. Of a function that returns a text for the log and one for everybody, it is
// the second.
func textsOf(file *ast.File, name string) (texts []string) {
	var add func(n ast.Node)
	add = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if ret, is := n.(*ast.ReturnStmt); is && len(ret.Results) == 2 {
				add(ret.Results[1])
				return false
			}
			if call, is := n.(*ast.CallExpr); is && strings.HasSuffix(types.ExprString(call.Fun), ".Contains") {
				return false
			}
			if text, is := foldText(n); is {
				texts = append(texts, text)
				return false
			}
			return n != nil
		})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == name {
				add(n.Body)
			}
		case *ast.ValueSpec:
			if slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return id.Name == name }) {
				add(n)
			}
		case *ast.CompositeLit:
			if id, is := n.Type.(*ast.Ident); is && id.Name == name {
				add(n)
			}
		}
		return true
	})
	return texts
}
