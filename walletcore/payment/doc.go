// Package payment makes each payment once and follows it to its end.
//
//	Spend, Send ──► keeper (journal) ──► sender (broadcast) ──► follower (blocks) ──► irreversible, expired or rejected
//
// Spend is the one path of every operation that signs: lock, request key, build, fee, approval, check of the bytes,
// signature, journal, broadcast. The signed bytes are on disk before the first of them leaves. An outcome that is not
// known is looked up in blocks that the miners' signatures prove; only the same bytes are ever sent again, and only over
// a connection whose blocks were read and do not hold them (docs/design/003).
package payment
