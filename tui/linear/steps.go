package linear

import (
	"context"
	"errors"
	"strings"

	"billfold/walletcore/fault"
)

// step is a question of a form, or what is done between two of them.
type step func(ctx context.Context) error

// inTurn takes the steps of a form one after the other. back goes to the step before that asked something, and leaves the
// first. A wallet that locked by itself meanwhile is opened before the next one; what was answered stays.
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

// reopened asks for the password of a wallet that was locked in the middle of a form; to leave it is to leave the form.
func (d *Conversation) unlockIfLocked(ctx context.Context) error {
	if d.env().Unlocked() {
		return nil
	}
	d.Say("The wallet was locked meanwhile. What you answered is kept.")
	d.notices.noteLockSaid()
	return d.unlockInForm(ctx)
}

// openAgain asks for the password in the middle of a form, until it is right or the person leaves the form.
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

// holding is inTurn for a form that holds no secret: the word lock locks the wallet and does not end it. The password goes on
// with the question at which it was typed, or with the review as it is then.
func (d *Conversation) runLockableSteps(ctx context.Context, steps ...step) error {
	outer := d.staysOnLock
	d.staysOnLock = true
	defer func() { d.staysOnLock = outer }()
	return d.runSteps(ctx, steps...)
}

// when is a step that is taken only where a condition holds at its turn.
func when(is func() bool, take step) step {
	return func(ctx context.Context) error {
		if !is() {
			return nil
		}
		return take(ctx)
	}
}

// kept is a step of which a failure is said, and the question before it asked again: no answer is lost. A script ends with it.
func (t *Talk) backOnFailure(take step) step {
	return func(ctx context.Context) error {
		err := take(ctx)
		if !isFault(err) {
			return err
		}
		return t.reportAndGoBack(err)
	}
}

// notSo prints why what was answered cannot be done, and goes back to the question before. A script ends with it.
func (t *Talk) reportAndGoBack(why error) error {
	if err := t.report(outsidePages(why)); err != nil {
		return err
	}
	return errBack
}

// insist takes a step until it goes well, or the person leaves. What was answered before stays.
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

// answered asks for a text until take takes it. What was taken before is the usual answer, and so is what only a node that did
// not answer kept from being taken.
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

// guard is inTurn for a form that asks for a secret behind answers that are seen. Where one of those is refused, or is looked up,
// nothing is shown of what is typed before a person says that it is answered again: it may be the secret.
func (d *Conversation) runGuardedSteps(ctx context.Context, steps ...step) error {
	outer := d.guarded
	d.guarded = true
	defer func() { d.guarded = outer }()
	return d.runSteps(ctx, steps...)
}

// saidOr is answered for what may have been said with the word of the form. That is taken first, and asked for only by back;
// what is wrong with it ends the form.
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

// lookAgain is a step that asks nothing: back does not go to it. Where no node answers it is taken again by a word, with what
// was answered before.
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

// laterHere is an error where there is no page whose words it could name.
func outsidePages(err error) *Refusal {
	why := refusalOf(err)
	why.Next = strings.ReplaceAll(why.Next, checkNodes, "try again in a moment")
	return why
}
