package walletapi

import "testing"

// BenchmarkCall measures the overhead of a call: the smallest read, one that reads an
// account from memory, and a payment that is only signed.
func BenchmarkCall(b *testing.B) {
	s := open(b)
	for _, c := range []struct {
		method string
		params []string
	}{
		{"is_locked", nil},
		{"get_account", []string{`"alice"`}},
		{"transfer", []string{`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `false`}},
	} {
		b.Run(c.method, func(b *testing.B) {
			b.ReportAllocs()
			p := positional(c.params...)
			for b.Loop() {
				if _, err := s.api.Call(s.ctx, c.method, p); err != nil {
					b.Fatal(err)
				}
				if c.method == "transfer" { // a later block, so that each is a different payment
					b.StopTimer()
					s.mine()
					b.StartTimer()
				}
			}
		})
	}
}

// BenchmarkBind converts the positional parameters of every operation; nothing is executed.
func BenchmarkBind(b *testing.B) {
	for _, m := range Methods() {
		p := positional(sample(m)...)
		b.Run(m.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Bind(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
