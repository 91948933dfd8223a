// Package payment makes each payment once and follows it until its outcome is final.
//
//	Spend, Send ──► keeper (journal) ──► sender (broadcast) ──► follower (blocks) ──► irreversible, expired or rejected
//
// Spend is the only path for operations that sign: lock, request key, build, fee, approval, check of the bytes,
// signature, journal, broadcast. The signed bytes are on disk before any of them leaves the program. An unknown outcome
// is looked up in blocks that the miners' signatures prove. Only the same bytes are ever sent again, and only over a
// connection whose blocks were read and do not contain them (docs/design/003).
package payment
