package linear

import (
	"context"
	"errors"
	"strings"

	"billfold/walletcore/fault"
)

// step is a question of a form, or work done between two questions.
type step func(ctx context.Context) error

// runSteps runs the steps of a form in order. back returns to the last step that asked something, or leaves the form
// if there is none. If the wallet was open and is locked meanwhile, it is unlocked before the next step; the answers are
// kept.
func (d *Conversation) runSteps(ctx context.Context, steps ...step) error {
	open, outer := d.env().Unlocked(), d.stepsBack
	defer func() { d.stepsBack = outer }()
	var asked []int
	for at := 0; at < len(steps); {
		if open {
			if err := d.unlockIfLocked(ctx); err != nil {
				return err
			}
		}
		d.stepsBack = outer + len(asked)
		before := d.questions
		switch err := steps[at](ctx); {
		case errors.Is(err, errWait):
			if err := d.unlockInForm(ctx); err != nil {
				return err
			}
		case errors.Is(err, errBack) && len(asked) > 0:
			at, asked = asked[len(asked)-1], asked[:len(asked)-1]
		case err != nil:
			return err
		default:
			if d.questions != before {
				asked = append(asked, at)
			}
			at++
		}
	}
	return nil
}

// unlockIfLocked asks for the password if the wallet was locked in the middle of a form; leaving that question leaves
// the form.
func (d *Conversation) unlockIfLocked(ctx context.Context) error {
	if d.env().Unlocked() {
		return nil
	}
	d.Say("The wallet was locked meanwhile. Your answers are kept.")
	d.notices.noteLockSaid()
	return d.unlockInForm(ctx)
}

// unlockInForm asks for the password in the middle of a form, until it is right or the person leaves the form.
func (d *Conversation) unlockInForm(ctx context.Context) error {
	for {
		switch err := d.unlock(ctx); {
		case errors.Is(err, errBack):
			return errStop
		case !errors.Is(err, errLock) && !errors.Is(err, errWait):
			return err
		}
	}
}

// runLockableSteps is runSteps for a form without secrets: the word lock locks the wallet without ending the form.
// After the password the form continues with the same question, or with a fresh review.
func (d *Conversation) runLockableSteps(ctx context.Context, steps ...step) error {
	outer := d.staysOnLock
	d.staysOnLock = true
	defer func() { d.staysOnLock = outer }()
	return d.runSteps(ctx, steps...)
}

// when returns a step that runs only if is returns true at its turn.
func when(is func() bool, take step) step {
	return func(ctx context.Context) error {
		if !is() {
			return nil
		}
		return take(ctx)
	}
}

// backOnFailure returns a step whose failure is printed and leads back to the question before it, so that no answer
// is lost. It ends a script.
func (t *Talk) backOnFailure(take step) step {
	return func(ctx context.Context) error {
		err := take(ctx)
		if !isFault(err) {
			return err
		}
		return t.reportAndGoBack(err)
	}
}

// reportAndGoBack prints why the answers cannot be carried out and goes back to the previous question. It ends a
// script.
func (t *Talk) reportAndGoBack(why error) error {
	if err := t.report(outsidePages(why)); err != nil {
		return err
	}
	return errBack
}

// untilAccepted repeats a step until it succeeds or the person leaves. Earlier answers are kept.
func (t *Talk) untilAccepted(ctx context.Context, take step) error {
	for {
		err := take(ctx)
		if !isRefusal(err) && !isFault(err) {
			return err
		}
		if err := t.report(outsidePages(err)); err != nil {
			return err
		}
	}
}

// askAccepted asks for a text until take accepts it. The default is the last accepted text, or one that take could
// not check because no node answered.
func (t *Talk) askAccepted(ctx context.Context, prompt, hint string, to *string, take func(text string) error) error {
	refused := false
	return t.untilAccepted(ctx, func(ctx context.Context) error {
		if refused && t.guarded {
			if err := t.ConfirmWordUnseen(ctx, "again", "answer once more"); err != nil {
				return err
			}
		}
		refused = true
		text, err := t.Text(ctx, prompt, hint, *to)
		if err != nil {
			return err
		}
		if err = take(text); err == nil || fault.CodeOf(err) == fault.DaemonAway {
			*to = text
		}
		return err
	})
}

// runGuardedSteps is runSteps for a form that asks for a secret after visible answers. While an answer is looked up,
// and after one was refused, typing is not echoed until the person confirms: it may be the secret.
func (d *Conversation) runGuardedSteps(ctx context.Context, steps ...step) error {
	outer := d.guarded
	d.guarded = true
	defer func() { d.guarded = outer }()
	return d.runSteps(ctx, steps...)
}

// givenOrAsk is askAccepted for a text that may have been typed after the word. That is tried first and asked for
// only by back; if it is refused, the form ends.
func (t *Talk) givenOrAsk(ctx context.Context, said *string, prompt, hint string, to *string, take func(text string) error) error {
	if *said == "" {
		return t.askAccepted(ctx, prompt, hint, to, take)
	}
	text := *said
	*said = ""
	t.countAnswered()
	err := take(text)
	if err == nil {
		*to = text
	}
	return err
}

// retryWhileAway returns a step that asks nothing, so back skips it. If no node answers, the word again repeats it
// with the same answers.
func (t *Talk) retryWhileAway(take step) step {
	return func(ctx context.Context) error {
		before := t.questions
		for {
			err := take(ctx)
			if fault.CodeOf(err) != fault.DaemonAway {
				t.questions = before
				return err
			}
			if err := t.report(outsidePages(err)); err != nil {
				return err
			}
			agree := t.ConfirmWord
			if t.guarded {
				agree = t.ConfirmWordUnseen
			}
			if err := agree(ctx, "again", "look again"); err != nil {
				return err
			}
		}
	}
}

// outsidePages returns an error as a refusal that names no word of a page.
func outsidePages(err error) *Refusal {
	why := refusalOf(err)
	why.Next = strings.ReplaceAll(why.Next, checkNodes, "try again in a moment")
	return why
}
