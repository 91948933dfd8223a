package setting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"billfold/ledger/usertext"
	"billfold/walletcore/spelling"

	"go.yaml.in/yaml/v3"
)

// readFile reads settings from lines "name: value". It accepts only YAML that can be read
// in one way: no nesting, tags, anchors, second documents, or values over several lines.
func (t *Table) readFile(text []byte, path string) error {
	clear(t.inFile) // a command may read its settings again
	clear(t.fileText)
	text, err := usertext.Decode(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if line, at, wrong := usertext.InvalidAt(text); at > 0 {
		return fmt.Errorf("%s:%d: byte %d of this line (0x%02X) is not UTF-8 text; type the line again, or save the file as UTF-8", path, line, at, wrong)
	}
	if bytes.ContainsRune(text, 0) {
		return fmt.Errorf("%s is not UTF-8 text; write it again, or move it away", path)
	}
	if err := checkVisible(string(text)); err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	if err := CheckBlanks(string(text)); err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	if err := checkNoINI(string(text)); err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	root, err := document(text)
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	if root == nil {
		return nil
	}
	f := &file{table: t, lines: strings.Split(string(text), "\n"), values: map[string]any{}}
	if err := f.readAll(root); err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	return t.viper.MergeConfigMap(f.values)
}

// checkVisible refuses invisible characters that end a line, hide text or reorder it.
func checkVisible(text string) error {
	for i, line := range strings.Split(text, "\n") {
		column := 0
		for _, r := range strings.TrimSuffix(line, "\r") {
			column++
			if r != '\t' && unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
				return fmt.Errorf("%d:%d: here is an invisible character, U+%04X; type the line again", i+1, column, r)
			}
		}
	}
	return nil
}

// checkNoINI refuses the lines of an INI file or of a shell, of which YAML would say something else.
func checkNoINI(text string) error {
	n := 0
	for line := range usertext.Lines(text) {
		n++
		switch {
		case regexp.MustCompile(`^\[[\pL\pN ._-]+\]\s*$`).MatchString(line):
			return fmt.Errorf("%d: a line in brackets is a section of an INI file, and there are none here; take it out, and write each setting as \"name: value\"", n)
		case regexp.MustCompile(`^[A-Za-z][\w.-]*\s*=`).MatchString(line):
			return fmt.Errorf("%d: this is written with =; write each setting as \"name: value\", with a space after the colon", n)
		}
	}
	return nil
}

// document returns the only document of a text, nil if it holds none.
func document(text []byte) (*yaml.Node, error) {
	in := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := in.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, SyntaxFault(text, err, false)
	}
	if err := in.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, SyntaxFault(text, err, false)
		}
		return nil, fmt.Errorf("%d: there is more than one document (a line --- or ... between); keep one", max(second.Line, doc.Line))
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" && root.Value == "" && root.Anchor == "" {
		return nil, nil // only comments
	}
	return root, nil
}

// file is a settings file that is being read.
type file struct {
	table  *Table
	lines  []string
	values map[string]any
}

// errorAt returns an error about a node with its line and column. The caller adds the path of the file in front.
func errorAt(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%d:%d: %w", n.Line, n.Column, fmt.Errorf(format, args...))
}

func (f *file) readAll(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return errorAt(root, noSetting)
	}
	if err := checkUntagged(root); err != nil {
		return err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if err := f.readOne(root.Content[i], root.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) readOne(key, value *yaml.Node) error {
	name, err := f.scalar(key)
	if err != nil {
		return err
	}
	s := f.table.find(name)
	switch {
	case s == nil:
		return f.unknownError(key, value)
	case s.Early:
		return errorAt(key, "%s cannot be set in this file, because it is needed to find it; give --%s, or set %s in the environment",
			name, name, s.Variable(f.table.prefix))
	case f.checkNested(key, value) != nil: // even if the first word alone is a setting
		return f.checkNested(key, value)
	case f.table.inFile[name]:
		return errorAt(key, "%s is set twice; keep one of the two lines", name)
	}
	text, err := f.value(s, value)
	if err != nil {
		return err
	}
	if _, err := s.parse(text); err != nil {
		return errorAt(value, "%w", s.valueError(name, text, err))
	}
	f.table.inFile[name], f.table.fileText[name] = true, text
	f.values[name] = text
	return nil
}

// checkNested refuses a setting that is written as nested words, such as rpc: with http: below it.
func (f *file) checkNested(key, value *yaml.Node) error {
	if value.Kind != yaml.MappingNode || len(value.Content) == 0 || value.Content[0].Kind != yaml.ScalarNode {
		return nil
	}
	if near := spelling.Nearest(key.Value+"-"+value.Content[0].Value, f.table.names()); near != "" && near != key.Value {
		return errorAt(key, "settings are not nested; write \"%s: …\" on a line of its own", near)
	}
	return nil
}

// unknownError returns the error for an unknown setting, which suggests the one that was
// perhaps meant. It does not show the value, which could be a password.
func (f *file) unknownError(key, value *yaml.Node) error {
	if err := f.checkNested(key, value); err != nil {
		return err
	}
	names, written := f.table.names(), key.Value
	if value.Kind == yaml.MappingNode && len(value.Content) > 0 {
		written += "-" + value.Content[0].Value
	}
	if looksSecret(written, names) {
		return errorAt(key, "there is no setting %s; passwords, keys and tokens are asked for and do not belong in this file",
			quoted(key.Value))
	}
	if near := didYouMean(written, names, ""); near != "" {
		return errorAt(key, "there is no setting %s%s", quoted(key.Value), near)
	}
	return errorAt(key, "there is no setting %s; billfold --help lists all settings", quoted(key.Value))
}

// value returns the text of a setting's value, for a list with commas between the items.
func (f *file) value(s *Setting, n *yaml.Node) (string, error) {
	switch {
	case n.Kind == yaml.SequenceNode && s.Value.list:
		return f.words(s, n)
	case n.Kind == yaml.SequenceNode:
		return "", errorAt(n, "%s takes one value, not a list; it is %s", s.Name, s.Value.Kind)
	case n.Kind == yaml.MappingNode:
		return "", errorAt(n, "%s takes a value, not settings of its own; it is %s", s.Name, s.Value.Kind)
	}
	text, err := f.scalar(n)
	if err != nil {
		return "", err
	}
	if text == "" || n.Tag == "!!null" {
		return "", errorAt(n, "%s has no value; give one, or take the line out", s.Name)
	}
	if s.Value.plain && n.Style == 0 && n.Tag != "!!str" {
		return "", errorAt(n, "%s: %s is not text; put it in quotes if it is meant so", s.Name, quoted(text))
	}
	return text, nil
}

func (f *file) words(s *Setting, n *yaml.Node) (string, error) {
	if err := checkUntagged(n); err != nil {
		return "", err
	}
	if len(n.Content) == 0 {
		return "", errorAt(n, "%s has no value; give one, or take the line out", s.Name)
	}
	var words []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode {
			return "", errorAt(item, "the list of %s contains something other than text", s.Name)
		}
		word, err := f.scalar(item)
		if err != nil {
			return "", err
		}
		if len(Words(word)) != 1 || item.Tag == "!!null" {
			return "", errorAt(item, "one item of the list of %s is empty or several; write one on each line", s.Name)
		}
		words = append(words, word)
	}
	return strings.Join(words, ","), nil
}

func checkUntagged(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return errorAt(n, noAnchors)
	case n.Style&yaml.TaggedStyle != 0:
		return errorAt(n, noTags)
	}
	return nil
}

// scalar returns the text of a key or value, which must be on one line.
func (f *file) scalar(n *yaml.Node) (string, error) {
	if err := checkUntagged(n); err != nil {
		return "", err
	}
	if n.Kind != yaml.ScalarNode {
		return "", errorAt(n, "this is not a setting; write each on a line as \"name: value\"")
	}
	if !f.onOneLine(n) {
		return "", errorAt(n, "a value spans several lines; write it on one")
	}
	return n.Value, nil
}

// onOneLine reports whether a scalar ends on the line where it begins, so that no line
// that looks like a setting is part of another one's value.
func (f *file) onOneLine(n *yaml.Node) bool {
	if n.Line < 1 || n.Line > len(f.lines) {
		return n.Value == "" // of a key at the end of the file
	}
	rest := []rune(f.lines[n.Line-1])
	rest = rest[min(max(n.Column-1, 0), len(rest)):]
	switch n.Style {
	case 0:
		return strings.HasPrefix(string(rest), n.Value)
	case yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle:
		return closedQuote(string(rest)) > 0
	}
	return false // block styles
}
