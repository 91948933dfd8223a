package ipfs

import "testing"

// An address is read as it stands in a text or another program, and nothing else is taken for one.
func TestAddressesAsOthersWriteThem(t *testing.T) {
	const id = "QmfS3zGGqtpMv8cSN2mrgZfbnzjBArZbmAvvYG5c2rJ7fB"
	for _, text := range []string{id, "ipfs:" + id, "ipfs://" + id, "IPFS://" + id + "/", "/ipfs/" + id, "<ipfs:" + id + ">", "ipfs:" + id + ".", "\u00a0ipfs:" + id + " ", "“ipfs:" + id + "”,"} {
		if got := Address(text); got != "ipfs:"+id {
			t.Errorf("%q is %q", text, got)
		}
	}
	for _, text := range []string{"", "ipfs:" + id[:45], id + id, "http://a/" + id, "ipfs:x", "ipfs:" + id + "/song", "<x>"} {
		if got := Address(text); got != text {
			t.Errorf("%q is %q", text, got)
		}
	}
}
