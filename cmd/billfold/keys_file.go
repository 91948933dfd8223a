package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"billfold/cmd/billfold/setting"
	"billfold/ledger/usertext"
	"billfold/tui/action"

	"go.yaml.in/yaml/v3"
)

// keysName is the file of the user's own key bindings, in the wallet's folder.
const keysName = "keys.yaml"

// readKeys reads the key bindings at path; the file may be missing. fault is a sentence for the screen, "" without an error.
func readKeys(path string) (keys action.Bindings, fault string) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ""
	}
	if err == nil {
		text, err = usertext.Decode(text)
	}
	if err == nil {
		keys, err = parseKeys(text)
	}
	if err != nil {
		return nil, err.Error()
	}
	return keys, ""
}

// keyList is a key, or a list of keys. A key such as y or 1 is read as text, which YAML would not do.
type keyList []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (k *keyList) UnmarshalYAML(node *yaml.Node) error {
	nodes := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		nodes = node.Content
	}
	for _, n := range nodes {
		if n.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: a key is one word, or a list of them", n.Line)
		}
		*k = append(*k, n.Value)
	}
	return nil
}

// parseKeys parses a YAML text of places, each with lines "action: key".
func parseKeys(text []byte) (action.Bindings, error) {
	if err := setting.CheckBlanks(string(text)); err != nil {
		return nil, fmt.Errorf("the file cannot be read: line %w", err)
	}
	var places map[string]map[string]keyList
	err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&places)
	wrong, are := errors.AsType[*yaml.TypeError](err)
	switch {
	case err == nil, errors.Is(err, io.EOF):
	case are && len(wrong.Errors) > 0:
		return nil, fmt.Errorf("the file cannot be read: %s", typeFault(wrong.Errors[0]))
	default:
		return nil, fmt.Errorf("the file cannot be read: line %w", setting.SyntaxFault(text, err, true))
	}
	out := action.Bindings{}
	for place, actions := range places {
		out[place] = map[string][]string{}
		for name, keys := range actions {
			out[place][name] = keys
		}
	}
	return out, nil
}

// typeFault returns a sentence on a text of YAML that is none of places and keys.
func typeFault(err string) string {
	if line, _, is := strings.Cut(err, ": cannot unmarshal "); is {
		return line + ": write a place such as \"everywhere:\", and below it, with spaces in front, lines \"action: key\""
	}
	return err
}
