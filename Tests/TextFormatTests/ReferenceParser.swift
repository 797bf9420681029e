import Diagnostics

/// The grammar once more, slow and plain, to compare the reader with.
struct ReferenceParser {
  private struct Line {
    var content: Bytes
    var end: Bytes
  }

  static func parse(_ input: Bytes) -> [ReadRecord] {
    let input = input.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(input.dropFirst(3)) : input
    var records: [ReadRecord] = []
    var block: [Line] = []
    var firstLine = 1
    var kind = ""
    let lines = split(input)
    for (index, line) in lines.enumerated() {
      if line.content.allSatisfy({ $0 == 32 || $0 == 9 }) {
        records += parse(block, line: firstLine, kind: &kind)
        block = []
        firstLine = index + 2
      } else {
        block.append(line)
      }
    }
    return records + parse(block, line: firstLine, kind: &kind)
  }

  private static func split(_ input: Bytes) -> [Line] {
    var lines: [Line] = []
    var content = Bytes()
    var position = 0
    while position < input.count {
      if input[position] == 13, position + 1 < input.count, input[position + 1] == 10 {
        lines.append(Line(content: content, end: [13, 10]))
        content = []
        position += 1
      } else if input[position] == 13 || input[position] == 10 {
        lines.append(Line(content: content, end: [input[position]]))
        content = []
      } else {
        content.append(input[position])
      }
      position += 1
    }
    return content.isEmpty ? lines : lines + [Line(content: content, end: [])]
  }

  private static func parse(_ block: [Line], line firstLine: Int, kind: inout String) -> [ReadRecord] {
    // What stands before the record: comments, and descriptors with their continuations.
    var start = 0
    var isAfterDescriptor = false
    while start < block.count {
      let content = block[start].content
      if content[0] == UInt8(ascii: "%"), !isNull(content) {
        isAfterDescriptor = true
        if content.starts(with: "%rec:".utf8) {
          kind = String(decoding: content.dropFirst(5).filter { $0 != 32 && $0 != 9 }, as: UTF8.self)
        }
      } else if content[0] == UInt8(ascii: "#") {
      } else if isAfterDescriptor, [43, 32, 9].contains(content[0]) {
      } else {
        break
      }
      start += 1
    }
    guard start < block.count else { return [] }
    var record = ReadRecord(kind: kind, line: firstLine + start)
    record.raw = block[start...].flatMap { $0.content + $0.end }
    var key: String?
    var values: [String: [Bytes]] = [:]
    var end = Bytes()
    var indentation: Bytes?
    for (index, line) in block[start...].enumerated() {
      let content = line.content
      switch content[0] {
      case UInt8(ascii: "#"): continue
      case UInt8(ascii: "%") where index == 0 && isNull(content): continue
      case UInt8(ascii: "+"), 32, 9:
        guard let key, var value = values[key]?.removeLast() else {
          record.faults.append(.unreadableLine)
          continue
        }
        var text = Array(content)
        if content[0] == UInt8(ascii: "+") {
          text.removeFirst()
          if text.first == 32 { text.removeFirst() }
        } else if let known = indentation {
          text.removeFirst(zip(known, text).prefix { $0 == $1 }.count)
        } else {
          indentation = Array(content.prefix { $0 == 32 || $0 == 9 })
          text.removeFirst(indentation?.count ?? 0)
        }
        value += end + text
        values[key]?.append(value)
        end = line.end
      default:
        var name = content.prefix { $0 != UInt8(ascii: ":") }
        while let last = name.last, last == 32 || last == 9 { name.removeLast() }
        guard content[0] != UInt8(ascii: "%"), content.contains(UInt8(ascii: ":")), !name.isEmpty else {
          record.faults.append(.unreadableLine)
          key = nil
          continue
        }
        var value = content.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        if value.first == 32 || value.first == 9 { value = value.dropFirst() }
        key = String(decoding: name, as: UTF8.self)
        values[String(decoding: name, as: UTF8.self), default: []].append(Array(value))
        end = line.end
        indentation = nil
      }
    }
    for (key, all) in values {
      record.fields[key] = all[0]
      if all.count > 1 { record.repeats[key] = Array(all.dropFirst()) }
    }
    return [record]
  }

  private static func isNull(_ content: Bytes) -> Bool {
    content.starts(with: "%null:".utf8) && content.dropFirst(6).allSatisfy { $0 == 32 || $0 == 9 }
  }
}
