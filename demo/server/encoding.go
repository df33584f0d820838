package server

import (
	"strconv"
	"strings"
)

// negotiate picks one of the available encodings by the Accept-Encoding headers of a request (RFC 9110, section
// 12.5.3), or "" for the file as it is. The client's weights decide, then the order of available. What the client
// does not name, or names with q=0, it does not get. A client that refuses everything still gets the file as it is,
// which serves it better than an error.
func negotiate(headers, available []string) string {
	weights := map[string]float64{}
	for _, header := range headers {
		for item := range strings.SplitSeq(header, ",") {
			coding, parameters, _ := strings.Cut(item, ";")
			coding = strings.ToLower(strings.TrimSpace(coding))
			if coding == "x-gzip" {
				coding = "gzip" // RFC 9110, section 8.4.1.3
			}
			if coding != "" {
				weights[coding] = weight(parameters)
			}
		}
	}

	best, bestWeight := "", weights["identity"]
	for _, coding := range available {
		w, named := weights[coding]
		if !named {
			w = weights["*"]
		}
		// A tie with the file as it is goes to the smaller one; a tie between encodings to the earlier one.
		if w > bestWeight || w > 0 && w == bestWeight && best == "" {
			best, bestWeight = coding, w
		}
	}
	return best
}

// weight reads the q of an Accept-Encoding item: 1 when there is none, 0 (do not send this) when it is not a number
// from 0 to 1.
func weight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(q >= 0 && q <= 1) {
				return 0
			}
			return q
		}
	}
	return 1
}
