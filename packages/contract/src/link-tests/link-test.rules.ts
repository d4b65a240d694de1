/** Bounds of a link test, for the form, the API and the host alike. */

export const LINK_TEST_S = 30
export const LEAST_TEST_S = 10
export const MOST_TEST_S = 60

/** As much as a contribution link in HD carries. */
export const LINK_TEST_RATE_KBPS = 8000
export const LEAST_TEST_RATE_KBPS = 100
export const MOST_TEST_RATE_KBPS = 50_000

/** The payload of a packet of SRT: seven packets of a transport stream. */
export const TEST_PACKET_BYTES = 1316
