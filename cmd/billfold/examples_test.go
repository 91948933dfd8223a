package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The example programs pay each order once and credit each deposit once, also when they are started again.
func TestExamplePrograms(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct{ run, suffix string }{"python": {"python3", ".py"}, "node": {"node", ".mjs"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(way.run); err != nil {
				t.Skip(way.run + " is not installed")
			}
			wallet := start(t, "--sandbox", "--rpc-http=127.0.0.1:0")
			api := remote{t, wallet.line(`^wallet API over HTTP on (http://\S+)$`)}
			run := func(want int, typed, program string, args ...string) string {
				t.Helper()
				cmd := exec.Command(way.run, append([]string{filepath.Join("../../docs/examples", name, program+way.suffix)}, args...)...)
				cmd.Env = append(cmd.Environ(), "WALLET_URL="+api.url, "PYTHONDONTWRITEBYTECODE=1")
				var said strings.Builder
				cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(typed), &said, &said
				if code := exitCode(t, cmd); code != want {
					t.Errorf("%s ends with %d:\n%s", program, code, said.String())
				}
				return said.String()
			}
			const orders = `{"order":"w-1","to":"bobby","amount":"1.5","asset":"DCT","memo":"w-1"}
{"order":"w-2","to":"nobody-here","amount":"1","asset":"DCT","memo":""}
{"order":"w-3","to":"bobby","amount":"2.25","asset":"DCT","memo":""}
`
			api.ok("unlock", sandboxPassword)
			first := run(1, orders, "payouts", "alice")
			if again := run(1, orders, "payouts", "alice"); first != again || !strings.Contains(first, "w-2 not paid\n") {
				t.Errorf("at first\n%s\nthen\n%s", first, again)
			}
			for _, order := range []string{"w-1", "w-3"} {
				api.ok("wait_payment", order, "irreversible", "50")
			}
			books := filepath.Join(t.TempDir(), "books")
			for _, times := range []int{1, 0} {
				credited := run(0, "", "deposits", "bobby", books, "--once")
				for _, amount := range []string{"1.50000000", "2.25000000"} {
					if strings.Count(credited, "credit "+amount+" DCT from alice") != times {
						t.Errorf("%s is to be credited %d times:\n%s", amount, times, credited)
					}
				}
			}
		})
	}
}
