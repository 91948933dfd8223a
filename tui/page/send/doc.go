// Package send is the way of a payment: form, review, sending; and the drafts,
// which are forms kept for later. What the review says, and when it lets S
// through, is package review's.
//
//	form ──ctrl+s──► core builds ──► review of the built bytes ──S──► sending
//	  ▲                                   │ esc                        │ esc
//	  └───────────────────────────────────┘         Home › Pending ◄───┘
//
// It promises: what is confirmed comes from the draft's Review, never from the
// form; S works only after the review was on screen for 600 ms with its last
// line in view and every typed confirmation matches; after S the page is
// Sending before anything leaves the program, and a second S has no meaning.
// Nothing takes the place of what is half typed before that is a draft, and
// nothing that of a payment that is being sent.
// It refuses to send while the same payment has an unknown outcome, while no
// node of the right chain answers, and by any key but S.
package send
