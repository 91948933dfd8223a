package main

import (
	"fmt"
	"strings"

	"billfold/osfile"
	"billfold/rpcserver/audit"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// What stands in the way of a payment until a person does something.
const (
	lockedWhy  = "the wallet is locked, and pays nothing until it is unlocked (billfold call unlock); calls that need no key are answered"
	keylessWhy = "the wallet has no keys, and pays nothing until some are made or imported (billfold import FILE, or billfold call import_key)"
	// It ends by itself.
	unlockingWhy = "the wallet is locked, and the password of --unlock-from is waited for, 30 s at most"
)

// nextReason is the separator of the obstacles as text.
const nextReason = "\nnot ready: "

// obstacle is a reason for which a payment would fail now, one for each part that stands in its way.
type obstacle struct{ part, why string }

// The parts, in the order in which they are told: what passes by itself comes first, what needs a person last.
const (
	journalPart = "journal" // the store, a hold among its reasons, and the comparison with the ledger
	diskPart    = "disk"
	ledgerPart  = "ledger" // the daemon, and whether its chain is the ledger
	keysPart    = "keys"
	lockPart    = "lock"
)

func parts() []string { return []string{journalPart, diskPart, ledgerPart, keysPart, lockPart} }

// obstacles returns why a payment would not succeed now, each in one sentence. Where no program may pay, keys are not needed.
func (p *program) obstacles() (list []obstacle) {
	add := func(part, why string) {
		if why != "" {
			list = append(list, obstacle{part, why})
		}
	}
	doubt := p.wallet.View.Chain.ChainDistrust() // which the comparison of the journal with the ledger waits for
	if no := payment.NotReady(p.wallet.Payments); doubt == (ledgerview.Distrust{}) {
		add(journalPart, no)
	}
	add(diskPart, diskFault(p.folder(), leastFree))
	add(ledgerPart, p.wallet.View.Chain.NotReady())
	if p.settings.rules().Spends != audit.Deny {
		switch keys := p.wallet.Vault; {
		case len(keys.PublicKeys()) == 0:
			add(keysPart, keylessWhy)
		case keys.State() != vault.Unlocked && p.unlocking.Load():
			add(lockPart, unlockingWhy)
		case keys.State() != vault.Unlocked:
			add(lockPart, lockedWhy)
		}
	}
	return list
}

// notReady returns the obstacles as text, "" if there are none.
func (p *program) notReady() string { return notReadyText(p.obstacles()) }

func notReadyText(list []obstacle) string {
	why := make([]string, len(list))
	for i, o := range list {
		why[i] = o.why
	}
	return strings.Join(why, nextReason)
}

// leastFree is the number of bytes to be left on the disk of the wallet's folder: some thousand payments, each with what it changes.
const leastFree = 16 << 20

// diskFault returns why a disk with less than least bytes left takes no payment, "" if it has them or does not say.
func diskFault(folder string, least uint64) string {
	free, _, known := osfile.Room(folder)
	if !known || free >= least {
		return ""
	}
	return fmt.Sprintf("the disk of the wallet's folder is full: %d MiB are left, and %d are kept free for payments; make room on it", free>>20, least>>20)
}
