package policy

// SipHash is what the mask hash is made of.
var SipHash = sipHash

// Windows returns how many windows the limits of a policy have.
func Windows(p *Policy) (n int) {
	for _, d := range p.documents {
		for _, r := range d.rules {
			for _, l := range r.limits {
				if l != nil {
					n += len(l.windows)
				}
			}
		}
	}
	return n
}
