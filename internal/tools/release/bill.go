package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// bill is a bill of materials in the form of CycloneDX 1.6, as far as it is used.
type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Serial   string `json:"serialNumber"`
	Version  int    `json:"version"`
	Metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	} `json:"metadata"`
	Components   []component `json:"components"`
	Dependencies []relation  `json:"dependencies"`
}

type component struct {
	Type       string      `json:"type"`
	Ref        string      `json:"bom-ref"`
	Name       string      `json:"name"`
	Version    string      `json:"version"`
	Hashes     []hash      `json:"hashes,omitempty"`
	Licences   []choice    `json:"licenses,omitempty"`
	PURL       string      `json:"purl,omitempty"`
	Properties []property  `json:"properties,omitempty"`
	Components []component `json:"components,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type choice struct {
	Licence licenceID `json:"license"`
}

type licenceID struct {
	ID string `json:"id"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type relation struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// bill returns the bill of materials of programs that are linked with these modules. It has all that any of the programs has.
func (r *release) bill(programs []component, linked []module) *bill {
	b := &bill{Format: "CycloneDX", Spec: "1.6", Serial: "urn:uuid:" + r.uuid(), Version: 1}
	b.Metadata.Timestamp = r.commit.rfc3339()
	self := component{Type: "application", Ref: "pkg:golang/billfold@" + r.version, Name: "billfold", Version: r.version, Licences: []choice{{licenceID{"MIT"}}},
		PURL: "pkg:golang/billfold@" + r.version, Components: programs,
		Properties: []property{{"billfold:commit", r.commit.id}, {"billfold:go", r.goes}}}
	b.Metadata.Component = self
	all := relation{Ref: self.Ref}
	for _, m := range linked {
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		c.Ref = c.PURL
		for _, l := range m.licences {
			c.Licences = append(c.Licences, choice{licenceID{l}})
		}
		if m.Sum != "" {
			c.Properties = []property{{"billfold:go.sum", m.Sum}}
		}
		b.Components = append(b.Components, c)
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	b.Dependencies = []relation{all}
	return b
}

// uuid returns an identifier that belongs to the commit and the version alone.
func (r *release) uuid() string {
	sum := sha256.Sum256([]byte("billfold " + r.version + " " + r.commit.id))
	u := sum[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80 // version 8: of a kind of our own
	text := hex.EncodeToString(u)
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// check refuses a bill that does not say of every module which version it is, what its contents are and what may be done with it.
func (b *bill) check() error {
	if len(b.Components) < 2 {
		return errors.New("the bill of materials has no modules")
	}
	var seen []string
	for _, c := range b.Components {
		switch {
		case slices.Contains(seen, c.Ref):
			return fmt.Errorf("the bill of materials has %s twice", c.Ref)
		case c.Version == "", len(c.Licences) == 0, len(c.Properties) == 0 && c.Name != standard:
			return fmt.Errorf("the bill of materials has %s without its version, licence or sum", c.Name)
		}
		seen = append(seen, c.Ref)
	}
	return nil
}

// materials writes the bill of materials.
func (r *release) materials(programs []program, linked []module) error {
	var made []component
	for _, p := range programs {
		sum, err := sumOf(p.path)
		if err != nil {
			return err
		}
		made = append(made, component{Type: "file", Ref: filepath.Base(p.path), Name: filepath.Base(p.path), Version: r.version, Hashes: []hash{{"SHA-256", sum}}})
	}
	b := r.bill(made, linked)
	if err := b.check(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "billfold_"+r.version+".cdx.json"), append(text, '\n'), 0o644)
}
