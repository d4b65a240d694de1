/** Where the bubble of a hint stands. */

/** As wide as a bubble gets, with its distance. */
export const BUBBLE_PX = 290

interface Place {
  anchor: HTMLElement
  position: 'top' | 'left'
}

/**
 * In a row beside the whole cell, where there is room: above or below a button the bubble would
 * cover the controls of the neighbouring row, and beside the button those of its own.
 */
export function placeOf(target: HTMLElement): Place {
  const cell = target.closest<HTMLElement>('tbody td')
  return cell !== null && cell.getBoundingClientRect().left >= BUBBLE_PX
    ? { anchor: cell, position: 'left' }
    : { anchor: target, position: 'top' }
}
