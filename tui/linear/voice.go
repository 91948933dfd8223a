package linear

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"billfold/tui/widget/canvas"
)

// fact is what one line says.
type fact struct {
	Item  int    // its number, where a number answers
	Label string // such as "Amount"
	Text  string

	kind kind
	why  *Refusal // of an error
}

// kind is what a fact is besides plain.
type kind int

const (
	isFact   kind = iota
	isMore        // it belongs to the line before it
	isPrompt      // the next line answers it
	isSecret      // it is a prompt whose answer nobody may see
	isEvent       // it happened meanwhile
	isError
)

// object is a fact as JSON, one a line: the shapes in docs/linear.md.
type object struct {
	Item   int    `json:"item,omitempty"`
	Label  string `json:"label,omitempty"`
	Text   string `json:"text,omitempty"`
	More   bool   `json:"more,omitempty"`
	Prompt string `json:"prompt,omitempty"`
	Hidden bool   `json:"hidden,omitempty"`
	Event  string `json:"event,omitempty"`
	Error  string `json:"error,omitempty"`
	Money  string `json:"money,omitempty"`
	Next   string `json:"next,omitempty"`
	Code   int    `json:"code,omitempty"`
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
	o := object{Item: f.Item, Label: f.Label, Text: f.Text}
	switch f.kind {
	case isFact:
	case isMore:
		o.More = true
	case isPrompt, isSecret:
		o = object{Prompt: f.Text, Hidden: f.kind == isSecret}
	case isEvent:
		o = object{Event: f.Text}
	case isError:
		o = object{Error: plainText(f.why.What, true), Money: plainText(f.why.Money, true), Next: plainText(f.why.Next, true), Code: f.why.Code}
	}
	text := new(bytes.Buffer)
	write := json.NewEncoder(text)
	write.SetEscapeHTML(false)
	_ = write.Encode(o) // text and numbers are always written
	v.raw(escapeJSON(text.String()))
}

// escaped writes letters of JSON that are not ASCII as JSON does.
func escapeJSON(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case r <= '~':
			out.WriteRune(r)
		case high == unicode.ReplacementChar:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		}
	}
	return out.String()
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
	case f.kind == isEvent:
		head = "Event: "
	case f.Item > 0 && f.Label != "":
		head = fmt.Sprintf("%d. %s: ", f.Item, f.Label)
	case f.Item > 0:
		head = fmt.Sprintf("%d. ", f.Item)
	case f.Label != "":
		head = f.Label + ": "
	case f.kind == isMore:
		head = "   "
	}
	return wrap(head, f.Text)
}

// Say prints a sentence.
func (v *Voice) Say(text string) { v.put(fact{Text: plainText(text, v.utf8)}) }

// Fact prints what stands for a label. A label that warns does so once.
func (v *Voice) Fact(label string, l canvas.Line) {
	text := lineText(l, v.utf8)
	if label == "Careful" || label == "Warning" {
		text, _ = cutWarning(text)
	}
	v.put(fact{Label: label, Text: text})
}

// unwarned takes the words from a text that say that it warns; is reports whether there were any.
func cutWarning(text string) (rest string, is bool) {
	for {
		head, more, found := strings.Cut(text, ": ")
		if head = strings.ToLower(head); !found || head != "warning" && head != "careful" {
			return text, is
		}
		text, is = more, true
	}
}

// Tell is Fact for text of this program.
func (v *Voice) Tell(label, text string) { v.Fact(label, canvas.Text(text)) }

// Wrong prints an error: what happened, whether money moved, what to type.
func (v *Voice) Wrong(r *Refusal) {
	if v.json {
		v.put(fact{kind: isError, why: r})
		return
	}
	v.Tell("Error", r.What)
	v.Tell("Money", r.Money)
	if r.Next != "" {
		v.Tell("Next", withStop(r.Next))
	}
}

// Item prints a numbered item.
func (v *Voice) Item(n int, l canvas.Line) { v.put(fact{Item: n, Text: lineText(l, v.utf8)}) }

// Under prints more of the line before.
func (v *Voice) Under(l canvas.Line) { v.put(fact{Text: lineText(l, v.utf8), kind: isMore}) }

// Line prints a line without a label; one that warns has that as its label.
func (v *Voice) Line(l canvas.Line) {
	text, warns := cutWarning(lineText(l, v.utf8))
	f := fact{Text: text}
	if warns {
		f.Label = "Warning"
	}
	v.put(f)
}

// Again prints once more what was printed since the last answer.
func (v *Voice) Repeat() {
	for _, f := range v.said {
		v.write(f)
	}
}

// Forget begins a new answer.
func (v *Voice) Forget() { v.said = nil }
