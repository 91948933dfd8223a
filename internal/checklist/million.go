package main

import (
	"os/exec"
	"path/filepath"
)

// longPassword is the password of the wallet with the long history.
const longPassword = "correct horse"

// millionFolder returns the folder of a wallet with a history of 1,000,000 rows. It is made once for all sizes, in the same way as for
// the benchmarks of History, since no ledger makes so many rows in the time of a check.
func (t *terminal) millionFolder() string {
	if t.err == nil && t.kit.million == "" {
		dir := filepath.Join(t.kit.work, "million")
		cmd := exec.Command("go", "test", "-count=1", "-run=^TestLongHistoryForTheCheckList$", "./tui/page/history")
		cmd.Env = append(cmd.Environ(), "MILLION="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.fail("making a long history: %v: %s", err, out)
			return ""
		}
		t.kit.million = dir
	}
	return t.kit.million
}

// longList moves through a million rows, without a node. (make bench measures how long a key takes.)
func longList(t *terminal) {
	t.start("", "--data-dir="+t.millionFolder(), "--daemon-url=ws://127.0.0.1:1")
	t.wait(`Password`)
	t.text(longPassword)
	t.keys("Enter")
	t.wait(`Recent activity`)
	t.keys("2")
	t.wait(`row 1 of 1,000,000`)
	t.keys("G")
	t.wait(`row 1,000,000 of 1,000,000`)
	t.wait(`1\.7\.7 `)
	t.framed()
	t.shot("end")
	t.keys("g")
	t.wait(`row 1 of 1,000,000`)
	t.wait(`1\.7\.7000000 `)
	t.keys("t")
	t.text("2023-11-20")
	t.keys("Enter")
	t.wait(`row 31\d,\d{3} of 1,000,000`)
	t.shot("date")
	t.keys("/")
	t.text("with:carol")
	t.wait(`250,000 of 1,000,000 rows`)
	t.keys("Enter")
	t.wait(`row [\d,]+ of 250,000`)
	t.framed()
	t.shot("filter")
}
