/** Imported by whatever parses while the page loads, and so before its first parse. */
import { z } from 'zod'

// Zod tries `new Function` once to see whether it may; the page's policy forbids and reports it.
z.config({ jitless: true })
