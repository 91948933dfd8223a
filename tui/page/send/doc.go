// Package send is the page of a payment: form, review, sending; and the drafts,
// which are forms kept for later. What the review shows, and when it accepts S,
// is up to package review.
//
//	form ──ctrl+s──► core builds ──► review of the built bytes ──S──► sending
//	  ▲                                   │ esc                        │ esc
//	  └───────────────────────────────────┘         Home › Pending ◄───┘
//
// From S on: the root lets it through only if it came alone (600 ms of quiet: tui/quiet.go, 50 ms without another key: tui/heldkey.go) →
// doReview (keys.go) → Model.sign (pay.go), which asks review.Page.Blocked (overlay/review/view.go) → SendKeepingDraft (keep.go: the form is a
// draft on disk until the commit of the payment drops it) → rereadAndSend (pay.go) → screen.Built, which is prepared in tui/payer.go →
// payment.Payments.Again, for what has changed meanwhile, and Send; the comment of package payment goes on from there.
//
// It promises: what is confirmed comes from the Review of what was built, never
// from the form; S works only after the review was on screen for 600 ms with its
// last line in view and every typed confirmation matches; after S the page is
// Sending before anything leaves the program, and a second S does nothing.
// What is half typed is replaced only once it is saved as a draft, and a payment
// that is being sent is never replaced.
// It refuses to send while the same payment has an unknown outcome, while no
// node of the right chain answers, and by any key but S.
package send
