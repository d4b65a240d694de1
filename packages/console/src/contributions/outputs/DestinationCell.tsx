/** Where an output sends: Push calls the far end, Listen waits for it on a port of ours. */
import type { Output } from '@trunkline/contract/contributions/output.schema'
import classes from './DestinationCell.module.css'
import { movedText } from '../contribution.messages.ts'

export function DestinationCell({ output }: { output: Output }) {
  const { config, destinationInfo } = output
  if (config.mode === 'Listen') {
    return (
      <div className={classes.cell}>
        <b>{config.port}</b>
        <i>Listen</i>
      </div>
    )
  }
  const address = `${config.host}:${config.port}`
  if (destinationInfo === null) {
    return (
      <div className={classes.cell}>
        <code title={address}>{address}</code>
      </div>
    )
  }
  // Q151: a destination that was changed moves no output; the row says that they differ.
  const hasMoved = destinationInfo.ip !== config.host
  const moved = hasMoved ? movedText(destinationInfo.ip) : ''
  return (
    <div className={classes.two} title={[destinationInfo.title, address, moved].join('\n').trim()}>
      <b>{destinationInfo.title}</b>
      <span>
        <code>{address}</code>
        {hasMoved && <em>{moved}</em>}
      </span>
    </div>
  )
}
