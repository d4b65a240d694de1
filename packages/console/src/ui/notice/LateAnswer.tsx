/** Says that a change is not answered yet, for how long, and how it goes on. */
import { useLateSince } from '../../lib/answer/late-answer.ts'
import { useBrowserNow } from '../../lib/clock.ts'
import { Band } from './Notice.tsx'

/** The region is always there, so that readers announce into it. */
export function LateAnswer() {
  const sinceMs = useLateSince()
  return (
    <div role="status" data-late>
      {sinceMs !== null && (
        <Band family="move" shape="arc">
          <Waited sinceMs={sinceMs} /> without an answer from the console server. Neither closing a
          dialog nor leaving the page cancels it. Wait for the result before you send it again.
        </Band>
      )}
    </div>
  )
}

/** Not read out: it changes each second. */
function Waited({ sinceMs }: { sinceMs: number }) {
  const seconds = Math.max(0, Math.round((useBrowserNow() - sinceMs) / 1000))
  return <span aria-hidden="true">{seconds} s</span>
}
