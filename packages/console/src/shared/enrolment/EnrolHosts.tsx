/** After a save that named new hosts: each of them is enrolled in its dialog, one after the other. */
import { useState } from 'react'
import { LaterDialog } from '../page/Later.tsx'
import type { EnrolledObject } from './enrolment.actions.ts'
import { ENROLMENT_DIALOG } from './enrolment.loader.ts'

interface EnrolHostsProps {
  /** One of each host. */
  objects: readonly EnrolledObject[]
  onClose: () => void
}

export function EnrolHosts({ objects, onClose }: EnrolHostsProps) {
  const [at, setAt] = useState(0)
  const object = objects[at]
  if (object === undefined) return null
  const next = () => (at + 1 < objects.length ? setAt(at + 1) : onClose())
  return <LaterDialog key={object.id} part={ENROLMENT_DIALOG} props={{ object, onClose: next }} />
}
