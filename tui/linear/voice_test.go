package linear

import (
	"strings"
	"testing"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// A line warns only once, whatever symbols and words the page uses for it.
func TestALineWarnsOnce(t *testing.T) {
	for _, text := range []string{"the key is old", theme.SignCareful + " the key is old", theme.SignCareful + " Careful: the key is old",
		"warning: warning: the key is old", theme.SignCareful + " warning: the key is old"} {
		for _, label := range []string{"Careful", "Warning"} {
			var out strings.Builder
			v := Voice{out: &out}
			v.Fact(label, canvas.Text(text))
			if out.String() != label+": the key is old\n" {
				t.Errorf("%q is printed as %q", text, out.String())
			}
		}
		var out strings.Builder
		v := Voice{out: &out}
		v.Line(canvas.Text(text))
		if strings.Count(strings.ToLower(out.String()), "warning")+strings.Count(strings.ToLower(out.String()), "careful") > 1 {
			t.Errorf("%q is printed as %q", text, out.String())
		}
	}
}
