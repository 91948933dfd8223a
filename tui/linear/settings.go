package linear

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/page/settings"
	"billfold/tui/widget/canvas"
)

// settingsPage shows and changes the settings of the program.
type settingsPage struct{ *Conversation }

func (o *settingsPage) words() []word {
	return []word{
		{
			say:  "show NAME",
			row:  "settings/settings.find",
			help: "one setting in full, or those whose name or help contains the word",
			do:   o.show,
		},
		{
			say:  "change NAME VALUE",
			row:  "settings/settings.change",
			help: "write another value to the settings file",
			also: []string{"settings/settings.flip"},
			do:   o.change,
		},
		{say: "default NAME", row: "settings/settings.default", do: o.restoreDefault},
	}
}

func (o *settingsPage) all() ([]settings.Setting, error) {
	if o.opt.Core.Settings == nil {
		return nil, refuse("There are no settings here.", "back.")
	}
	return o.opt.Core.Settings.All()
}

func (o *settingsPage) enter(context.Context) error {
	all, err := o.all()
	if err != nil {
		return err
	}
	o.Tell("File", format.Clean(o.opt.Core.Settings.Path()))
	if o.opt.Core.Settings.Shared() {
		o.Tell("Careful", "this wallet is thrown away, the file stays. The wallet in that folder uses these settings too.")
	}
	for _, group := range settings.Groups() {
		for _, s := range all {
			if s.Group == group {
				o.Tell(s.Name, valueText(s))
			}
		}
	}
	o.sayWords()
	return nil
}

// enterWith shows a setting, or changes it if a value follows: settings theme light.
func (o *settingsPage) enterWith(ctx context.Context, rest string) error {
	first, more, _ := strings.Cut(rest, " ")
	if w, is := findWord(o.words(), first); is {
		return w.do(ctx, strings.TrimSpace(more))
	}
	if strings.TrimSpace(more) == "" {
		return o.show(ctx, rest)
	}
	return o.change(ctx, rest)
}

func valueText(s settings.Setting) string {
	text := format.Clean(s.Value)
	if text == "" {
		text = "not set"
	}
	return text + ", from " + s.Source
}

func (o *settingsPage) show(_ context.Context, rest string) error {
	if rest == "" {
		return misuse("Which setting?", "show and its name; settings lists all.")
	}
	all, err := o.all()
	if err != nil {
		return err
	}
	found := 0
	for _, s := range all {
		if s.Name == rest {
			o.sayWhole(s)
			return nil
		}
		title, _ := settings.NameOf(s.Name)
		if strings.Contains(strings.ToLower(s.Name+" "+title+" "+s.Group+" "+s.Help), strings.ToLower(rest)) {
			o.Tell(s.Name, valueText(s))
			o.Under(canvas.Text(s.Help))
			found++
		}
	}
	if found == 0 {
		return misuse("There is no setting "+format.Clean(quoted(rest))+".", "settings lists all.")
	}
	return nil
}

func (o *settingsPage) sayWhole(s settings.Setting) {
	title, _ := settings.NameOf(s.Name)
	o.Tell("Setting", s.Name+", "+title)
	o.Tell("Help", s.Help)
	o.Tell("Value", valueText(s))
	if s.Running != s.Value {
		o.Tell("In force", format.Clean(s.Running)+", until the next start")
	}
	o.Tell("Default", s.Default)
	if s.Choices != nil {
		o.Tell("Choices", strings.Join(s.Choices, ", "))
	} else {
		o.Tell("Kind", s.Kind)
	}
	switch {
	case s.Fixed != "":
		o.Tell("Not changed here", s.Fixed)
	case s.Overridden:
		o.Tell("Not changed here", "the "+s.Source+" overrides the file in this run")
	case !s.Live:
		o.Tell("A change applies", "from the next start on")
	}
}

func (o *settingsPage) change(_ context.Context, rest string) error {
	name, to, _ := strings.Cut(rest, " ")
	return o.write(name, strings.TrimSpace(to), false)
}

func (o *settingsPage) restoreDefault(_ context.Context, rest string) error {
	return o.write(rest, "", true)
}

// write writes a value to the settings file, or removes the setting, and prints the old value.
func (o *settingsPage) write(name, to string, unset bool) error {
	if name == "" {
		return misuse("Which setting?", "type its name after the word; settings lists all.")
	}
	all, err := o.all()
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.Name != name {
			continue
		}
		if to == "" && !unset {
			return misuse("A value is needed.", "change "+name+" VALUE, or default "+name+".")
		}
		if err := o.opt.Core.Settings.Change(name, to); err != nil {
			return refuse(sentence(format.Clean(err.Error())), "show "+name+" says what it takes.")
		}
		if to == "" {
			to = s.Default
		}
		o.Tell(name, format.Clean(to)+". Was: "+format.Clean(s.Value)+".")
		return nil
	}
	return misuse("There is no setting "+format.Clean(quoted(name))+".", "settings lists all.")
}
