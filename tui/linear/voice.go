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

// fact is one piece of output; it starts a new line.
type fact struct {
	Item  int    // the number that selects it, or 0
	Label string // such as "Amount"
	Text  string

	kind kind
	why  *Refusal // only of an error
}

// kind is the type of a fact's line.
type kind int

const (
	isFact   kind = iota
	isMore        // it continues the line before it
	isPrompt      // the next input line answers it
	isSecret      // a prompt whose answer is not echoed
	isEvent       // something that happened meanwhile
	isError
)

// object is a fact as one line of JSON; docs/linear.md describes it.
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

// Voice prints facts.
type Voice struct {
	out  io.Writer
	json bool // each line is a JSON object
	utf8 bool // letters beyond ASCII are not escaped

	said []fact // what was printed since the last answer
	err  error  // the first error of the output
}

func (v *Voice) put(f fact) {
	v.said = append(v.said, f)
	v.write(f)
}

// write prints a fact: as JSON, or on as many lines as it takes.
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
		o = object{
			Error: plainText(f.why.What, true),
			Money: plainText(f.why.Money, true),
			Next:  plainText(f.why.Next, true),
			Code:  f.why.Code,
		}
	}
	text := new(bytes.Buffer)
	write := json.NewEncoder(text)
	write.SetEscapeHTML(false)
	_ = write.Encode(o) // an object of text and numbers always encodes
	v.raw(escapeJSON(text.String()))
}

// escapeJSON escapes the letters of a JSON text that are not ASCII.
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

// lines returns the wrapped lines of a fact.
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

// Fact prints a value with its label. A label that warns replaces the warning words of the value.
func (v *Voice) Fact(label string, l canvas.Line) {
	text := lineText(l, v.utf8)
	if label == "Careful" || label == "Warning" {
		text, _ = cutWarning(text)
	}
	v.put(fact{Label: label, Text: text})
}

// cutWarning removes the words warning: and careful: from the start of a text; is reports whether there were any.
func cutWarning(text string) (rest string, is bool) {
	for {
		head, more, found := strings.Cut(text, ": ")
		if head = strings.ToLower(head); !found || head != "warning" && head != "careful" {
			return text, is
		}
		text, is = more, true
	}
}

// Tell is Fact for plain text of this program.
func (v *Voice) Tell(label, text string) { v.Fact(label, canvas.Text(text)) }

// Wrong prints an error: what happened, whether money moved, what to type next.
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

// Under prints more about the line before.
func (v *Voice) Under(l canvas.Line) { v.put(fact{Text: lineText(l, v.utf8), kind: isMore}) }

// Line prints a line without a label; one that warns gets the label Warning.
func (v *Voice) Line(l canvas.Line) {
	text, warns := cutWarning(lineText(l, v.utf8))
	f := fact{Text: text}
	if warns {
		f.Label = "Warning"
	}
	v.put(f)
}

// Repeat prints again what was printed since the last answer.
func (v *Voice) Repeat() {
	for _, f := range v.said {
		v.write(f)
	}
}

// Forget starts a new answer: Repeat prints nothing from before.
func (v *Voice) Forget() { v.said = nil }
