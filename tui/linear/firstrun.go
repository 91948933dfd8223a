package linear

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"billfold/tui"
	"billfold/tui/format"
	"billfold/tui/page/firstrun"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// way is one way to get a wallet or a key.
type way struct {
	title string
	do    func(ctx context.Context) error
}

// firstRun is shown when the folder has no wallet: it offers the ways to make one.
func (s importer) firstRun(ctx context.Context) error {
	s.Say("Billfold. No wallet in this folder.")
	if s.opt.Folder != "" {
		s.Tell("Folder", format.Clean(s.opt.Folder))
	}
	s.Tell("Network", format.Clean(cmp.Or(s.env().Status.Network, "not known yet")))
	if url := s.env().Status.DaemonURL; url != "" {
		s.Tell("Node", format.Clean(url))
	}
	s.Say(firstrun.Binding(s.env().Status))
	ways := []way{
		{"Create a new wallet", s.create},
		{"Open a wallet.json", s.openLegacy},
		{"Import a private key", s.importKey},
		{"Restore from a phrase", s.restore},
		{"Watch an account", func(ctx context.Context) error { return s.watch(ctx, "") }},
	}
	if s.opt.OfferSandbox {
		ways = append(ways, way{"Try the sandbox", func(context.Context) error { return tui.ErrWantSandbox }})
	}
	if nodes := s.opt.Core.FirstNode; nodes != nil {
		ways = append(ways, way{"Choose the node", func(ctx context.Context) error { return s.chooseNode(ctx, nodes) }})
	}
	chosen, err := s.chooseWay(ctx, ways)
	switch {
	case errors.Is(err, errOver) && !s.script: // the input ended: quit, as at a page
		return errQuit
	case err != nil:
		return err
	}
	return chosen.do(ctx)
}

// chooseNode asks for the address of a node until one answers there, and has the session begin anew with it.
func (s importer) chooseNode(ctx context.Context, nodes firstrun.Nodes) error {
	if why := nodes.Fixed(); why != "" {
		return refuse(sentence(why), "choose another way.")
	}
	address := ""
	return s.runSteps(ctx, func(ctx context.Context) error {
		s.Tell("Default", nodes.Default())
		return s.askAccepted(ctx, "Address", "such as wss://node.example, or "+nodes.Default(), &address, func(text string) error {
			_, err := within(ctx, s.Conversation, "Calling it", func(ctx context.Context) (bool, error) { return true, nodes.Try(ctx, text) })
			if err != nil && ctx.Err() == nil {
				return refuse(sentence(format.Clean(err.Error())), "type an address, or back.")
			}
			return err
		})
	}, func(context.Context) error {
		if err := nodes.Use(address); err != nil {
			return err
		}
		return tui.ErrWantNode
	})
}

// importKeys offers the ways to bring keys into an existing wallet.
func (s importer) importKeys(ctx context.Context) error {
	chosen, err := s.chooseWay(ctx, []way{{"Open a wallet.json", s.openLegacy}, {"Import a private key", s.importKey},
		{"Restore from a phrase", s.restore}, {"Watch an account", func(ctx context.Context) error { return s.watch(ctx, "") }}})
	if err != nil {
		return err
	}
	return chosen.do(ctx)
}

func (s importer) chooseWay(ctx context.Context, ways []way) (way, error) {
	for i, w := range ways {
		s.Item(i+1, canvas.Text(w.title))
	}
	n, err := s.Choose(ctx, "Choose 1 to "+strconv.Itoa(len(ways)), len(ways), 0)
	if err != nil {
		return way{}, err
	}
	return ways[n-1], nil
}

// create makes a wallet from a new recovery phrase. The wallet is written once, at the end.
func (s importer) create(ctx context.Context) error {
	var password, name string
	words := &dictation{Conversation: s.Conversation}
	steps := append([]step{s.askPassword(&password)}, words.steps()...)
	return s.runSteps(ctx, append(steps,
		func(ctx context.Context) (err error) {
			name, err = s.newName(ctx, name)
			return err
		},
		s.backOnFailure(func(ctx context.Context) error {
			keys, err := withProgress(ctx, s.Conversation, "Encrypting the wallet", func(ctx context.Context) (vault.NewAccount, error) {
				return s.opt.Core.FirstRun.CreateFromPhrase(ctx, password, words.phrase(), name)
			})
			if err != nil {
				return err
			}
			s.sayWritten()
			registrations(s).sayRegistration(vault.Waiting{Name: name, NewAccount: keys})
			return nil
		}))...)
}

// newName asks for the name that somebody else is to register; an empty answer leaves it open. typed is the earlier
// answer.
func (s importer) newName(ctx context.Context, typed string) (string, error) {
	prompt := "Account name, empty decides later"
	if typed != "" {
		prompt = "Account name, later decides later"
	}
	for {
		name, err := s.Text(ctx, prompt, "a name that others register for you, or later", typed)
		if strings.EqualFold(name, "later") {
			name = ""
		}
		if err != nil || name == "" {
			return "", err
		}
		_, err = within(ctx, s.Conversation, "Looking", func(ctx context.Context) (bool, error) {
			return true, s.opt.Core.FirstRun.CheckNewName(ctx, name)
		})
		switch {
		case err == nil:
			s.Say(format.Clean(name) + " is free.")
			return name, nil
		case fault.CodeOf(err) == fault.DaemonAway:
			s.Say("It will be checked when a node answers.")
			return name, nil
		}
		if err := s.report(err); err != nil {
			return "", err
		}
	}
}
