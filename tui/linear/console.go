package linear

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/page/console"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// resultLines is the number of lines of a result that are printed at once.
const resultLines = 12

// pastLines is the number of lines that are kept of those that were run.
const pastLines = 20

// consolePage is the console: each line calls an operation of the wallet.
type consolePage struct {
	reviewer
	rest   []string // the lines of the last result that were not printed yet
	secret bool     // the last result is secret: repeat does not print it
	past   []string // the lines that were run, the oldest first
}

// forget drops the rest of the last result when the wallet is locked.
func (c *consolePage) forget() { c.rest = nil }

func (c *consolePage) words() []word {
	return []word{
		{say: "more", help: "the rest of the last result", row: "console/console.expand", do: c.more},
		{
			say:  "lines",
			row:  "console.type/console.older",
			also: []string{"console.type/console.newer"},
			help: "the lines that were run; a number runs one again",
			do:   c.lines,
		},
		{say: "curl", help: "the last line as curl", row: "console.type/console.curl", do: c.curl},
		{
			say:  "json LINE",
			help: "run a line, and say the result as JSON",
			row:  "console/console.json",
			do:   func(ctx context.Context, line string) error { return c.run(ctx, line, true) },
		},
		{say: "complete LINE", help: "how a line can continue", row: "console.type/next", do: c.complete},
		{say: "about OPERATION", help: "what an operation does and takes", do: c.about},
		{
			say:  "run LINE",
			help: "run an operation; at this page the word run can be left out",
			row:  "console.type/enter",
			do:   func(ctx context.Context, line string) error { return c.run(ctx, line, false) },
		},
	}
}

func (c *consolePage) enter(context.Context) error {
	if c.opt.Core.Console == nil {
		return refuse("There is no console here.", "back.")
	}
	c.Say("Type an operation and its parameters, such as get_account carol. about OPERATION says what one takes.")
	c.sayWords()
	return nil
}

// runOther runs a line that begins with no word of the page as an operation.
func (c *consolePage) runOther(ctx context.Context, line string) error {
	if strings.EqualFold(strings.TrimSpace(line), "import") {
		return importer{c.Conversation}.importKeys(ctx)
	}
	return c.run(ctx, line, false)
}

// enterWith runs a line given at another page, such as console get_account carol.
func (c *consolePage) enterWith(ctx context.Context, rest string) error {
	if w, is := findWord(c.words(), strings.Fields(rest)[0]); is {
		_, more := cutWord(rest)
		return w.do(ctx, more)
	}
	return c.run(ctx, rest, false)
}

// run runs a line. An operation that spends goes through its review first.
func (c *consolePage) run(ctx context.Context, line string, asJSON bool) error {
	if c.opt.Core.Console == nil {
		return refuse("There is no console here.", "back.")
	}
	if c.opt.Core.Console.Keeps(line) {
		c.past = append(slices.DeleteFunc(c.past, func(old string) bool { return old == line }), line)
		c.past = c.past[max(len(c.past)-pastLines, 0):]
	}
	signed := false
	result, err := c.execute(ctx, line, &signed)
	switch {
	case isWayOut(err):
		return err
	case err != nil:
		core := c.opt.Core
		if built, others := console.BuildForOthers(ctx, core.Console, core.ForOthers, line, err); others {
			return c.spend(ctx, built)
		}
		return consoleRefusal(err, signed)
	}
	if c.needsCare(line, result) && !c.script {
		c.Say("The result is secret. Nobody else should hear it.")
		if err := c.ConfirmWord(ctx, "reveal", "hear it"); err != nil {
			return err
		}
	}
	c.rest, c.secret = flat(result.JSON), result.Secret
	if asJSON {
		c.rest = strings.Split(strings.TrimRight(result.JSON, "\n"), "\n")
	}
	return c.more(ctx, "")
}

// needsCare reports whether a result is secret and holds more than true or false. Results of operations that spend
// are on the ledger and need no care.
func (c *consolePage) needsCare(line string, r console.Result) bool {
	said := strings.TrimSpace(r.JSON)
	return r.Secret && len(said) > len("false") && !slices.Contains(c.opt.Core.Console.Describe(line).Tags, "spends")
}

// execute runs a line and sets signed once its review was approved. Secret parameters are asked for without echo.
func (c *consolePage) execute(ctx context.Context, line string, signed *bool) (console.Result, error) {
	ask := func(ctx context.Context, method string, r txbuild.Review) error {
		page := review.New(c.env(), r, review.Prompt{Key: "sign", Life: signingLife})
		c.Say(intro)
		_, err := c.confirm(ctx, &page, "sign", page.Word())
		if err != nil {
			return &fault.Error{Code: fault.Denied, Op: method, Message: "you did not agree", Hint: "nothing was signed", Err: err}
		}
		*signed = true
		return nil
	}
	core := c.opt.Core.Console
	form, is := core.Form(line)
	if !is || !slices.ContainsFunc(form.Fields, func(f console.FormField) bool { return f.Secret }) {
		return core.Run(ctx, line, ask) // not in withProgress: ask talks to the person, so nothing else may be printed meanwhile
	}
	values, err := c.askParams(ctx, form)
	if err != nil {
		return console.Result{}, err
	}
	return core.RunForm(ctx, core.Line(form.Method, values), ask)
}

// setPassword is the operation that takes the new password first, then the present one.
const setPassword = "set_password"

// askParams asks for the parameters that the line lacks, and for every secret: one typed on the line is ignored.
// Where a password is changed, it asks for the present one first.
func (c *consolePage) askParams(ctx context.Context, form console.Form) ([]string, error) {
	now, values := "", make([]string, len(form.Fields))
	steps := []step{when(func() bool { return form.Method == setPassword && c.env().Status.Lock != vault.New },
		func(ctx context.Context) (err error) {
			now, err = c.Secret(ctx, "The present password")
			return err
		})}
	for i, f := range form.Fields {
		steps = append(steps, func(ctx context.Context) (err error) {
			values[i], err = c.paramValue(ctx, form.Method, f, now)
			return err
		})
	}
	return values, c.runSteps(ctx, steps...)
}

// paramValue returns the value of a parameter as typed, or asks for it. now is the present password when set_password
// changes it.
func (c *consolePage) paramValue(ctx context.Context, method string, f console.FormField, now string) (string, error) {
	label := "The " + strings.ReplaceAll(f.Name, "_", " ")
	switch {
	case f.Secret && f.Optional: // the present password of set_password; other operations do not need it, the wallet is open
		return now, nil
	case f.Secret && method == setPassword:
		return c.NewSecret(ctx, "The new password")
	case f.Secret:
		return c.Secret(ctx, label)
	case f.Value == "" && !f.Optional:
		return c.Text(ctx, label, f.Help, "")
	}
	return f.Value, nil
}

// isWayOut reports whether the person left, rather than something having failed.
func isWayOut(err error) bool {
	return errors.Is(err, errQuit) || errors.Is(err, errLock) || errors.Is(err, errOver) || errors.Is(err, errBack) ||
		errors.Is(err, errStop)
}

// consoleRefusal returns the refusal for the error of a line. signed reports whether its review was approved.
func consoleRefusal(err error, signed bool) *Refusal {
	r := refusalOf(err)
	var known *fault.Error
	if !errors.As(err, &known) { // the line did not reach an operation
		r = &Refusal{What: sentence(format.Clean(err.Error())), Code: Misused}
	}
	if !signed && r.Code != Unknown {
		r.Money = "nothing was sent."
	}
	if r.Next == "" {
		r.Next = "about OPERATION says what it takes."
	}
	return r
}

// more prints the next lines of the last result.
func (c *consolePage) more(context.Context, string) error {
	if len(c.rest) == 0 {
		c.Say("There is no more.")
	}
	n := min(len(c.rest), resultLines)
	for _, l := range c.rest[:n] {
		c.put(fact{Text: c.resultText(l)})
	}
	if c.rest = c.rest[n:]; len(c.rest) > 0 {
		c.Say(printable.Many(len(c.rest), "more line") + ". Type more.")
	}
	if c.secret {
		c.Forget()
	}
	return nil
}

// lines prints the lines that were run.
func (c *consolePage) lines(context.Context, string) error {
	if len(c.past) == 0 {
		c.Say("No line was run yet.")
	}
	for i, l := range c.past {
		c.put(fact{Item: i + 1, Text: c.resultText(l)})
	}
	return nil
}

// open runs a line again.
func (c *consolePage) open(ctx context.Context, n int) error {
	line, err := pick(c.past, strconv.Itoa(n), "line")
	if err != nil {
		return err
	}
	return c.run(ctx, line, false)
}

// resultText cleans a line of a result for printing; it may contain text by others.
func (c *consolePage) resultText(line string) string {
	if line = format.Clean(line); c.utf8 {
		return line
	}
	return ascii(line)
}

func (c *consolePage) curl(context.Context, string) error {
	if len(c.past) == 0 {
		return misuse("No line was run yet.", "type an operation.")
	}
	body := c.opt.Core.Console.Request(c.past[len(c.past)-1])
	endpoint := c.state.Endpoint()
	switch {
	case body == "":
		return refuse("The last line is not a complete call.", "type an operation.")
	case endpoint.URL == "":
		return refuse("No HTTP listener is on.", "start with --rpc-http --tui.")
	}
	c.Say(endpoint.Curl(body))
	return nil
}

func (c *consolePage) complete(ctx context.Context, line string) error {
	all := c.opt.Core.Console.Complete(ctx, line)
	if len(all) == 0 {
		c.Say("Nothing completes this line.")
	}
	for _, l := range all[:min(len(all), resultLines)] {
		c.Say(c.resultText(l))
	}
	if more := len(all) - resultLines; more > 0 {
		c.Say("And " + printable.Many(more, "more line") + ".")
	}
	return nil
}

func (c *consolePage) about(_ context.Context, name string) error {
	if name == "" {
		return misuse("Which operation?", "about and its name; complete and its first letters.")
	}
	card := c.opt.Core.Console.Describe(name)
	if card.Method == "" {
		return misuse("There is no operation "+c.resultText(quoted(name))+".", "complete and its first letters.")
	}
	c.Tell("Operation", card.Method)
	c.Tell("Does", card.Help)
	for _, p := range card.Params {
		kind := p.Type
		if p.Optional {
			kind += ", optional"
		}
		c.Tell(p.Name, kind)
	}
	if len(card.Tags) > 0 {
		c.Tell("It", strings.Join(card.Tags, ", "))
	}
	return nil
}
