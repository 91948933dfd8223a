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

// nextReason is what is between the reasons of notReady.
const nextReason = "\nnot ready: "

// notReady returns why a payment would not succeed now, each reason in one sentence, "" if it would. What passes by itself comes
// first, what needs a person last. Where no program may pay, keys are not needed.
func (p *program) notReady() string {
	var why []string
	doubt := p.wallet.View.Chain.ChainDistrust() // which the comparison of the journal with the ledger waits for
	if no := payment.NotReady(p.wallet.Payments); no != "" && doubt == (ledgerview.Distrust{}) {
		why = append(why, no)
	}
	if no := diskFault(p.folder(), leastFree); no != "" {
		why = append(why, no)
	}
	if no := p.wallet.View.Chain.NotReady(); no != "" {
		why = append(why, no)
	}
	if p.settings.rules().Spends != audit.Deny {
		switch keys := p.wallet.Vault; {
		case len(keys.PublicKeys()) == 0:
			why = append(why, keylessWhy)
		case keys.State() != vault.Unlocked && p.unlocking.Load():
			why = append(why, unlockingWhy)
		case keys.State() != vault.Unlocked:
			why = append(why, lockedWhy)
		}
	}
	return strings.Join(why, nextReason)
}

// leastFree is how many bytes the disk of the wallet's folder must have left: some thousand payments, each with what it changes.
const leastFree = 16 << 20

// diskFault returns why a disk with less than least bytes left takes no payment, "" if it has them or does not say.
func diskFault(folder string, least uint64) string {
	free, _, known := osfile.Room(folder)
	if !known || free >= least {
		return ""
	}
	return fmt.Sprintf("the disk of the wallet's folder is full: %d MiB are left, and %d are kept free for payments; make room on it", free>>20, least>>20)
}
