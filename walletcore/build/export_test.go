package build

// Repack takes the operations, as they are by now, for those that were completed.
func (p *Prepared) Repack() {
	var err error
	if p.packed, err = packOperations(p.ops); err != nil {
		panic(err)
	}
}

// Forget drops the words of the request.
func (p *Prepared) Forget() { p.words = nil }

// Double has the first operation twice.
func (p *Prepared) Double() { p.ops = append(p.ops, p.ops[0]) }
