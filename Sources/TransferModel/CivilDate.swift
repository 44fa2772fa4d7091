// SPDX-License-Identifier: MIT

/// A day of the Gregorian calendar. The arithmetic counts years from March, so that the leap day comes last.
struct CivilDate: Equatable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// `dayNumber` counts from 1 January 1970.
    init(dayNumber: Int64) {
        let shifted = dayNumber + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    var dayNumber: Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = floorDivide(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day, and the seconds since its midnight. Years outside 0…9999 have no form of four digits and are clamped.
    static func split(_ seconds: Int64) -> (date: CivilDate, time: Int) {
        let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let dayNumber = floorDivide(seconds, 86400)
        return (CivilDate(dayNumber: dayNumber), Int(seconds - dayNumber * 86400))
    }

    /// Seconds since 1970; `nil` for a day or a time that does not exist. A leap second counts as the one before it.
    func seconds(_ hour: Int, _ minute: Int, _ second: Int) -> Int64? {
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        // A day that does not exist comes back as another one.
        guard CivilDate(dayNumber: dayNumber) == self else { return nil }
        return dayNumber * 86400 + Int64(hour * 3600 + minute * 60 + min(second, 59))
    }

    /// `hh:mm:ss` of the seconds since midnight.
    static func clock(_ time: Int) -> String {
        "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
    }

    /// `value` in at least `width` digits.
    static func digits(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}

func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 { value - floorDivide(value, divisor) * divisor }
