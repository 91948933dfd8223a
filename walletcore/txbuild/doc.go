// Package txbuild makes transactions. A request becomes operations; these get fees,
// a review for the person or policy that approves it, a reference block and
// expiration, and signatures.
//
//	Request ─► Builder ─► operations ─► fees, rules, signers ─► Review ─► stamp ─► check ─► signatures
//
// Promises: what is signed is what was reviewed, except for its reference block and
// expiration; the bytes are read back and compared with the words of the request
// before the first signature; no transaction is made twice.
//
// Refuses: a fee above the ceiling or in an asset other than DCT, a head block in
// the future, a recipient whose keys changed without anyone having seen it.
package txbuild
