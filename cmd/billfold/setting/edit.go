package setting

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Edit returns the text of a settings file with one setting changed, or removed if value is empty.
// Comments and all other lines stay as they are. It refuses a file in which it cannot change the
// setting alone. It does not check whether the value is valid.
func Edit(text []byte, name, value string) ([]byte, error) {
	root, err := document(text)
	if err != nil {
		return nil, fmt.Errorf("the settings file cannot be read, line %w", err)
	}
	before, err := textsIn(root)
	if err != nil {
		return nil, err
	}
	line := ""
	if value != "" {
		if line, err = lineOf(name, value); err != nil {
			return nil, err
		}
	}
	out := []byte(replaceLine(string(text), root, name, line))
	if root, err = document(out); err != nil {
		return nil, errEditByHand
	}
	after, err := textsIn(root)
	if err != nil {
		return nil, err
	}
	if got, there := after[name]; there != (value != "") || there && got != value {
		return nil, errEditByHand
	}
	delete(before, name)
	delete(after, name)
	if !maps.Equal(before, after) {
		return nil, errEditByHand
	}
	return out, nil
}

// errEditByHand is the error for a file that Edit cannot change.
var errEditByHand = errors.New("the settings file is written in a way that cannot be changed from here; edit it by hand")

// textsIn returns the settings of a file as text.
func textsIn(root *yaml.Node) (map[string]string, error) {
	out := map[string]string{}
	if root == nil {
		return out, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, errEditByHand
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		value := root.Content[i+1].Value
		for _, item := range root.Content[i+1].Content {
			value += "\x00" + item.Value
		}
		out[root.Content[i].Value] = value
	}
	return out, nil
}

// lineOf returns a setting as one line, with quotes if YAML would take the text for something else.
func lineOf(name, value string) (string, error) {
	if _, err := parseBool(value); err == nil {
		return name + ": " + value, nil
	}
	text, err := yaml.Marshal(map[string]string{name: value})
	line := strings.TrimSuffix(string(text), "\n")
	if err != nil || strings.Contains(line, "\n") {
		return "", errEditByHand
	}
	return line, nil
}

// replaceLine replaces the lines of a setting by line, or appends line if there are none. An empty line removes them.
func replaceLine(text string, root *yaml.Node, name, line string) string {
	lines := strings.SplitAfter(text, "\n")
	for i := 0; root != nil && i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Value != name {
			continue
		}
		first, last := key.Line-1, lastLine(value)
		end := ending(lines[last-1])
		switch {
		case line == "":
		case value.LineComment != "":
			line += " " + value.LineComment + end
		default:
			line += end
		}
		return strings.Join(lines[:first], "") + line + strings.Join(lines[last:], "")
	}
	if line == "" {
		return text
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + line + "\n"
}

// lastLine returns the number of the line on which a value ends.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, item := range n.Content {
		last = max(last, lastLine(item))
	}
	return last
}

// ending returns the line break at the end of a line.
func ending(line string) string {
	return line[len(strings.TrimRight(line, "\r\n")):]
}
