package setting

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Edit returns the text of a settings file with one setting changed, or taken out where value is empty.
// Comments and all other lines stay as they are. A file in which the line cannot be told apart is
// refused. Whether the value has a meaning is for Check to say.
func Edit(text []byte, name, value string) ([]byte, error) {
	root, err := document(text)
	if err != nil {
		return nil, fmt.Errorf("the settings file cannot be read, line %w", err)
	}
	before, err := written(root)
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
		return nil, errByHand
	}
	after, err := written(root)
	if err != nil {
		return nil, err
	}
	if got, there := after[name]; there != (value != "") || there && got != value {
		return nil, errByHand
	}
	delete(before, name)
	delete(after, name)
	if !maps.Equal(before, after) {
		return nil, errByHand
	}
	return out, nil
}

// errByHand is of a file that no line can be changed in.
var errByHand = errors.New("the settings file is written in a way that cannot be changed from here; edit it by hand")

// written are the settings of a file as text.
func written(root *yaml.Node) (map[string]string, error) {
	out := map[string]string{}
	if root == nil {
		return out, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, errByHand
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

// lineOf writes a setting on one line, in quotes where YAML would take the text for something else.
func lineOf(name, value string) (string, error) {
	if _, err := parseBool(value); err == nil {
		return name + ": " + value, nil
	}
	text, err := yaml.Marshal(map[string]string{name: value})
	line := strings.TrimSuffix(string(text), "\n")
	if err != nil || strings.Contains(line, "\n") {
		return "", errByHand
	}
	return line, nil
}

// replaceLine puts a line in place of those of a setting, or at the end. An empty line takes them out.
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

// lastLine is where a value ends.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, item := range n.Content {
		last = max(last, lastLine(item))
	}
	return last
}

// ending is how a line ends.
func ending(line string) string {
	return line[len(strings.TrimRight(line, "\r\n")):]
}
