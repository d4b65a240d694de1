/** What the timeline of an object says. */
export const TIMELINE = 'Timeline'
export const TIMELINE_FAILED = 'The timeline could not be read.'
export const NO_EVENTS = 'No events yet.'
export const NO_SUCH_EVENTS = 'No events match the filter.'
export const AVAILABILITY_FAILED = 'The availability could not be read.'
export const EXPORT_FAILED = 'The events could not be read. Nothing was saved.'
export const EXPORT_CUT = 'Only the newest events were saved. Choose a shorter span for the others.'
export const AVAILABILITY_NOTE =
  'Share of the time in which it should run and was watched. Days are UTC. Not known: its host was unreachable, or Trunkline was not running.'
export const PACKETS_NOTE =
  'Packets of an input: how many were lost on the way, and how many of those were not retransmitted in time (unrecovered). Packets of a feeder or output: how many were retransmitted.'
