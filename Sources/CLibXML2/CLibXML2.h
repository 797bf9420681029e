// Empty on purpose: libxml2's headers are included by CXML's own .c files alone, so that neither they nor the ICU
// headers behind them reach a Swift module.
