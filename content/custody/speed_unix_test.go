//go:build unix

package custody

import (
	"bytes"
	"context"
	"io"
	"syscall"
	"testing"
	"time"
)

// Each benchmark of a package of 1 MiB has its limit beside it: a third of what the reference takes to sign one on two cores, which is 5.0 s, and
// 8.8 s of processor time. Only the latter means anything while other programs run.
func measure(b *testing.B, do func() error) {
	b.Helper()
	b.SetBytes(1 << 20)
	b.ReportAllocs()
	start, before := time.Now(), processorTime(b)
	for b.Loop() {
		if err := do(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(time.Since(start).Seconds()/float64(b.N), "s/MiB")
	b.ReportMetric(5.0/3, "limit-s/MiB")
	b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "cpu-s/MiB")
	b.ReportMetric(8.8/3, "limit-cpu-s/MiB")
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func BenchmarkSign(b *testing.B) {
	pkg, secret := noise(1<<20), mustSecret(b)
	measure(b, func() error {
		_, err := secret.Sign(context.Background(), bytes.NewReader(pkg), 1<<20, 0, io.Discard, Options{})
		return err
	})
}

func BenchmarkVerify(b *testing.B) {
	pkg, secret := noise(1<<20), mustSecret(b)
	var signatures bytes.Buffer
	data, err := secret.Sign(context.Background(), bytes.NewReader(pkg), 1<<20, 0, &signatures, Options{})
	if err != nil {
		b.Fatal(err)
	}
	measure(b, func() error { return verify(data, pkg, signatures.Bytes()) })
}

func BenchmarkVerifyProof(b *testing.B) {
	r := readRecorded(b)
	for b.Loop() {
		if err := VerifyProof(r.data["flow"], *r.proofs[0].Proof); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSigner(b *testing.B) {
	secret := mustSecret(b)
	for b.Loop() {
		newSigner(secret)
	}
}
