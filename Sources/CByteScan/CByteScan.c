// Everything is in the header; a target needs one source file.
#include "CByteScan.h"
