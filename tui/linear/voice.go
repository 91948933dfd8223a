package linear

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"billfold/tui/widget/canvas"
)

// fact is what one line says.
type fact struct {
	Item  int    `json:"item,omitempty"`  // its number, where a number answers
	Label string `json:"label,omitempty"` // such as "Amount"
	Text  string `json:"text"`

	under bool // it belongs to the line before it
	ask   bool // it is a prompt
}

// Voice says facts, one per line.
type Voice struct {
	out  io.Writer
	json bool // each line is a JSON object
	utf8 bool // letters beyond ASCII are written as they are

	said []fact // since the last answer
	err  error  // of the output
}

func (v *Voice) put(f fact) {
	v.said = append(v.said, f)
	v.write(f)
}

// write writes a fact: as JSON, or in as many lines as it takes.
func (v *Voice) write(f fact) {
	if v.json {
		v.object(f)
		return
	}
	for _, l := range f.lines() {
		v.raw(l + "\n")
	}
}

func (v *Voice) object(f fact) {
	var text []byte
	if f.ask {
		text, _ = json.Marshal(map[string]string{"prompt": f.Text})
	} else {
		text, _ = json.Marshal(f)
	}
	v.raw(string(text) + "\n")
}

func (v *Voice) raw(text string) {
	if _, err := io.WriteString(v.out, text); err != nil && v.err == nil {
		v.err = err
	}
}

// lines are those of a fact.
func (f fact) lines() []string {
	head := ""
	switch {
	case f.Item > 0 && f.Label != "":
		head = fmt.Sprintf("%d. %s: ", f.Item, f.Label)
	case f.Item > 0:
		head = fmt.Sprintf("%d. ", f.Item)
	case f.Label != "":
		head = f.Label + ": "
	case f.under:
		head = "   "
	}
	return wrap(head, f.Text)
}

// Say says a sentence.
func (v *Voice) Say(text string) { v.put(fact{Text: inAll(text, v.utf8)}) }

// Fact says what stands for a label. A label that warns does so once.
func (v *Voice) Fact(label string, l canvas.Line) {
	text := words(l, v.utf8)
	if label == "Careful" || label == "Warning" {
		text = strings.TrimPrefix(text, "warning: ")
	}
	v.put(fact{Label: label, Text: text})
}

// Tell is Fact for text of this program.
func (v *Voice) Tell(label, text string) { v.Fact(label, canvas.Text(text)) }

// Item says a numbered item.
func (v *Voice) Item(n int, l canvas.Line) { v.put(fact{Item: n, Text: words(l, v.utf8)}) }

// Under says more of the line before.
func (v *Voice) Under(l canvas.Line) { v.put(fact{Text: words(l, v.utf8), under: true}) }

// Line says a line without a label.
func (v *Voice) Line(l canvas.Line) { v.put(fact{Text: words(l, v.utf8)}) }

// Again says once more what was said since the last answer.
func (v *Voice) Again() {
	for _, f := range v.said {
		v.write(f)
	}
}

// Forget begins a new answer.
func (v *Voice) Forget() { v.said = nil }
