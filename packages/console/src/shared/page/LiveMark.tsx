/** Whether what is on the screen is pushed this second, or how old it is. */
import { useConnection, useIsCurrent } from '../../lib/live/live-hooks.ts'
import { apiNowMs, heardAgeMs } from '../../lib/live/live-store.ts'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { clockTimeText } from '../format.ts'
import classes from './LiveMark.module.css'

export function LiveMark() {
  const connection = useConnection()
  const isCurrent = useIsCurrent()
  switch (connection.state) {
    case 'live':
      if (!isCurrent) return <DataFrom sinceMs={apiNowMs() - (heardAgeMs() ?? 0)} />
      return (
        <span className={classes.live} data-live title="Live updates from the console server">
          <Shape shape="disc" family="ok" size={11} />
          Live
        </span>
      )
    case 'connecting':
      return (
        <span className={classes.live}>
          <Shape shape="arc" family="move" size={11} />
          Connecting
        </span>
      )
    case 'retrying':
      return <DataFrom sinceMs={connection.sinceMs} />
  }
}

function DataFrom({ sinceMs }: { sinceMs: number }) {
  return (
    <span className={classes.live} title="Live updates have stopped">
      <Shape shape="diamond-question" family="blind" size={12} />
      Data from {clockTimeText(sinceMs)}
    </span>
  )
}
