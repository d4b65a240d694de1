/** A box or a band that says in words how things stand: nothing here yet, not read, out of date. */
import type { Family, Shape as ShapeName } from '@trunkline/contract/fleet/state-view.rules'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'
import { Shape } from '../symbol/Shape.tsx'

/** An empty or failed place: what it is, why, and the one thing to do. */
export function Empty(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <b>{props.title}</b>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}

interface BandProps {
  family: Family
  shape: ShapeName
  children: ReactNode
  action?: ReactNode
}

export function Band({ family, shape, children, action }: BandProps) {
  return (
    <div className={classes.band} data-f={family} role="status">
      <Shape shape={shape} family={family} size={16} />
      <span>{children}</span>
      {action !== undefined && <span className={classes.action}>{action}</span>}
    </div>
  )
}
